//! The lines about memory that an engine prints when it starts, as the ledger expects them.

use crate::decimal::fixed;
use crate::ledger::{Account, Accounts, Rule, grouped};
use crate::names::Engine;
use crate::plan::{Cluster, InferencePlan};
use crate::units::{GIB, MIB};

use super::super::capacity::maximum_concurrency;
use super::super::memory::Footprint;
use crate::answer::LogFigure;

/// A line and the figures it states, before they are rounded to what is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedLine {
    /// The line.
    pub text: String,
    /// What it states, each in bytes, tokens, requests or as a share.
    pub figures: Vec<(LogFigure, f64)>,
}

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
    use LogFigure::{Context, Graphs, Pool, Requests, States, Tokens, Weights, Workspace};
    let figure = |figure| expected(figure, footprint, plan, cluster, accounts).unwrap_or(0.0);
    let gib = |bytes: f64, decimals: usize| fixed(bytes / GIB, decimals);
    let mib = |bytes: f64| fixed(bytes / MIB, 2);
    let whole = |number: f64| grouped(&fixed(number, 0));
    let line = |parts: &[&str], figures: &[LogFigure]| PredictedLine {
        text: parts.concat(),
        figures: figures.iter().map(|one| (*one, figure(*one))).collect(),
    };
    match plan.engine {
        Engine::Textbook | Engine::Transformers => Vec::new(),
        Engine::Vllm => {
            let most = fixed(figure(Requests), 2);
            let mut lines = vec![
                line(&["Model loading took ", &gib(figure(Weights), 4), " GiB"], &[Weights]),
                line(&["Available KV cache memory: ", &gib(figure(Pool), 2), " GiB"], &[Pool]),
                line(&["GPU KV cache size: ", &whole(figure(Tokens)), " tokens"], &[Tokens]),
                line(
                    &["Maximum concurrency for ", &whole(figure(Context)), " tokens per request: ", &most, "x"],
                    &[Context, Requests],
                ),
            ];
            if figure(Graphs) > 0.0 {
                lines.push(line(&["Graph capturing finished, took ", &gib(figure(Graphs), 2), " GiB"], &[Graphs]));
            }
            lines
        }
        // It says GB and means GiB.
        Engine::Sglang => {
            let tokens = fixed(figure(Tokens), 0);
            let size = if footprint.cache.is_latent() {
                ["KV size: ", &gib(figure(Pool), 2), " GB"].concat()
            } else {
                let half = gib(figure(Pool) / 2.0, 2);
                ["K size: ", &half, " GB, V size: ", &half, " GB"].concat()
            };
            let mut lines = vec![
                line(&["Load weight end. mem usage=", &gib(figure(Weights), 2), " GB."], &[Weights]),
                line(&["KV Cache is allocated. #tokens: ", &tokens, ", ", &size], &[Tokens, Pool]),
            ];
            if figure(Graphs) > 0.0 {
                lines.push(line(&["Capture cuda graph end. mem usage=", &gib(figure(Graphs), 2), " GB."], &[Graphs]));
            }
            lines
        }
        Engine::TensorRtLlm => {
            let (weights, pool) = (gib(figure(Weights), 2), gib(figure(Pool), 2));
            let tokens = fixed(figure(Tokens), 0);
            vec![
                line(
                    &[
                        "Memory used after loading model weights (inside torch) in memory usage profiling: ",
                        &weights,
                        " GiB",
                    ],
                    &[Weights],
                ),
                line(&["Allocated ", &pool, " GiB for max tokens in paged KV cache (", &tokens, ")."], &[Pool, Tokens]),
            ]
        }
        Engine::LlamaCpp => {
            let buffers = [("model", Weights), ("KV", Pool), ("RS", States), ("compute", Workspace)].into_iter();
            // Only models with linear attention have the third.
            let there = buffers.filter(|(_, one)| *one != States || figure(States) > 0.0);
            there
                .map(|(name, one)| line(&["CUDA0 ", name, " buffer size = ", &mib(figure(one)), " MiB"], &[one]))
                .collect()
        }
    }
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
    let cells = plan.engine == Engine::LlamaCpp;
    Some(match figure {
        LogFigure::Device => cluster.gpu.capacity.get(),
        LogFigure::Fraction => footprint.budget(cluster).1,
        LogFigure::Weights => accounts[Account::Weights].get(),
        LogFigure::HostWeights => return None,
        LogFigure::Workspace => accounts[Account::Workspace].get(),
        LogFigure::Outside => accounts[Account::Runtime].get() - graphs(),
        LogFigure::Graphs => graphs(),
        // It allocates the cells of its slots and nothing beyond.
        LogFigure::Pool if cells => accounts[Account::KvCache].get() - states(),
        // A token's bytes, times the tokens: the rest of the budget is left.
        LogFigure::Pool if plan.engine == Engine::Sglang => tokens() * footprint.cache.per_token(),
        LogFigure::Pool => pool(),
        LogFigure::States => states(),
        LogFigure::Tokens => tokens(),
        LogFigure::Blocks => (tokens() / plan.block as f64).floor(),
        LogFigure::Cells if cells => footprint.cache.cells(context, requests),
        LogFigure::Cells => return None,
        LogFigure::Context => context,
        LogFigure::Slots => requests,
        LogFigure::Requests => maximum_concurrency(footprint, plan, cluster) / plan.replicas as f64,
    })
}
