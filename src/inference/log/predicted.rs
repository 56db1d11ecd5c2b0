//! The lines about memory that an engine prints when it starts, as the ledger expects them.

use crate::answer::LogFigure;
use crate::engines::Storage;
use crate::engines::log::{Expected, PredictedLine};
use crate::ledger::{Account, Accounts, Rule};
use crate::plan::{Cluster, InferencePlan};

use super::super::capacity::maximum_concurrency;
use super::super::memory::Footprint;

/// What the engine of `plan` would log; nothing for those that print no such lines. `accounts` are of one GPU.
#[must_use]
pub fn log(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster, accounts: &Accounts) -> Vec<String> {
    predicted(footprint, plan, cluster, accounts).into_iter().map(|line| line.text).collect()
}

/// The same with the figures that the lines state.
#[must_use]
pub fn predicted(
    footprint: &Footprint,
    plan: &InferencePlan,
    cluster: &Cluster,
    accounts: &Accounts,
) -> Vec<PredictedLine> {
    let figure = |figure| expected(figure, footprint, plan, cluster, accounts).unwrap_or(0.0);
    let expected = Expected { figure: &figure, latent: footprint.cache.is_latent() };
    plan.engine.lines().map_or(Vec::new(), |lines| lines(&expected))
}

/// What the ledger expects of a figure, whether or not the engine prints it; nothing where the engine has no such thing.
#[must_use]
pub fn expected(
    figure: LogFigure,
    footprint: &Footprint,
    plan: &InferencePlan,
    cluster: &Cluster,
    accounts: &Accounts,
) -> Option<f64> {
    let (context, requests) = (plan.context as f64, plan.requests() as f64);
    let pool = || footprint.pool(cluster, context, requests).max(0.0);
    let tokens = || footprint.cache.capacity(pool(), requests);
    let states = || footprint.cache.state_bytes(requests);
    let graphs = || footprint.outside_by(Rule::CapturedGraphs);
    let engine = plan.engine.traits();
    let slots = engine.storage == Storage::Slots;
    Some(match figure {
        LogFigure::Device => cluster.gpu.capacity.get(),
        LogFigure::Fraction => footprint.budget(cluster).1,
        LogFigure::Weights => accounts[Account::Weights].get(),
        LogFigure::HostWeights => return None,
        LogFigure::Workspace => accounts[Account::Workspace].get(),
        LogFigure::Outside => accounts[Account::Runtime].get() - graphs(),
        LogFigure::Graphs => graphs(),
        // The cells of its slots are allocated and nothing beyond.
        LogFigure::Pool if slots => accounts[Account::KvCache].get() - states(),
        LogFigure::Pool if engine.pool_of_tokens => tokens() * footprint.cache.per_token(),
        LogFigure::Pool => pool(),
        LogFigure::States => states(),
        LogFigure::Tokens => tokens(),
        LogFigure::Blocks => (tokens() / plan.block as f64).floor(),
        LogFigure::Cells if slots => footprint.cache.cells(context, requests),
        LogFigure::Cells => return None,
        LogFigure::Context => context,
        LogFigure::Slots => requests,
        LogFigure::Requests => maximum_concurrency(footprint, plan, cluster) / plan.replicas as f64,
    })
}
