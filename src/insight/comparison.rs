//! The same question under other serving engines, side by side.

use crate::engines::{Budget, settings_of_some};
use crate::inference::{footprint, maximum_concurrency, maximum_context};
use crate::ledger::Account;
use crate::names::Engine;
use crate::plan::Deployment;
use crate::refusal::FieldError;
use crate::resolve::{Resolved, resolve};
use crate::scenario::{Change, Inference, Patch, Scenario, SettingId};
use crate::units::Bytes;

/// A scenario under one engine.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderEngine {
    /// The engine.
    pub engine: Engine,
    /// The scenario with that engine.
    pub scenario: Scenario,
    /// Settings that were given and that the engine has not, or means otherwise: they stand at its defaults here.
    pub given_up: Vec<&'static str>,
    /// Its figures, or why there are none.
    pub figures: Result<EngineFigures, FieldError>,
}

/// What one GPU holds under an engine, and how much it can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineFigures {
    /// Weights.
    pub weights: Bytes,
    /// What is left for the cache.
    pub pool: Bytes,
    /// Live tensors of a pass.
    pub workspace: Bytes,
    /// What lies outside the allocator.
    pub runtime: Bytes,
    /// What the engine's budget keeps free.
    pub kept_free: Bytes,
    /// Tokens of the cache on one replica.
    pub tokens: f64,
    /// Most requests of the context asked for, over all replicas.
    pub most_requests: f64,
    /// Longest context of as many requests as asked for.
    pub longest_context: f64,
    /// Of what the budget is a fraction.
    pub budget: Budget,
    /// That fraction.
    pub fraction: f64,
    /// Whether the requests asked for fit.
    pub fits: bool,
}

impl EngineFigures {
    /// Those of a deployment.
    #[must_use]
    pub fn of(deployment: Deployment) -> EngineFigures {
        let Deployment { model, plan, cluster } = deployment;
        let footprint = footprint(model, plan);
        let (context, requests) = (plan.context as f64, plan.requests() as f64);
        let accounts = footprint.accounts(&footprint.entries(context, requests));
        let pool = footprint.pool(cluster, context, requests);
        let others = accounts.total() - accounts[Account::KvCache];
        let (budget, fraction) = footprint.budget(cluster);
        EngineFigures {
            weights: accounts[Account::Weights],
            pool: Bytes::whole(pool),
            workspace: accounts[Account::Workspace],
            runtime: accounts[Account::Runtime],
            kept_free: cluster.usable() - others - Bytes::whole(pool),
            tokens: footprint.cache.capacity(pool, requests),
            most_requests: maximum_concurrency(&footprint, plan, cluster),
            longest_context: maximum_context(&footprint, plan, cluster) as f64,
            budget,
            fraction,
            fits: cluster.fits(footprint.needed(cluster, context, requests)),
        }
    }

    /// The largest part of the GPU: what there must be less of for more to fit. `None` is the cache itself.
    #[must_use]
    pub fn binding(&self) -> Option<Account> {
        let parts = [
            (Some(Account::Weights), self.weights),
            (Some(Account::Workspace), self.workspace),
            (Some(Account::Runtime), self.runtime),
            (Some(Account::Slack), self.kept_free),
        ];
        let largest = parts.into_iter().fold((None, self.pool), |a, b| if b.1 > a.1 { b } else { a });
        largest.0
    }
}

/// `scenario` under each engine that is a product.
#[must_use]
pub fn engines(scenario: &Scenario) -> Vec<UnderEngine> {
    Engine::products().map(|engine| under_engine(scenario, engine)).collect()
}

/// `scenario` under another engine. Settings that only other engines have are given up, and so is a fraction of memory,
/// which every engine takes of something else.
#[must_use]
pub fn under_engine(scenario: &Scenario, engine: Engine) -> UnderEngine {
    let before = Inference::engine.given(scenario).copied().unwrap_or_default();
    let mut given_up = Vec::new();
    let mut patch = Patch::from(Inference::engine.to(engine));
    let mut give_up = |patch: &mut Patch, change: Change| {
        given_up.push(change.path());
        patch.0.push(change);
    };
    if before != engine && Inference::memory_fraction.given(scenario).is_some() {
        give_up(&mut patch, Inference::memory_fraction.unset());
    }
    // The ledger itself says which setting the engine has not; each is given up at most once.
    let (scenario, figures) = loop {
        let changed = patch.applied(scenario);
        match resolve(&changed) {
            Ok(Resolved { model, cluster, inference, .. }) => {
                let figures = |plan| EngineFigures::of(Deployment { model: &model, plan, cluster: &cluster });
                break (changed, inference.as_ref().map(figures).map_err(Clone::clone));
            }
            Err(error) => {
                let refused = not_of_every_engine().find(|change| change.path() == error.field);
                match refused.filter(|change| !change.is_made_in(&changed)) {
                    Some(change) => give_up(&mut patch, change),
                    None => break (changed, Err(error)),
                }
            }
        }
    };
    UnderEngine { engine, scenario, given_up, figures }
}

/// The settings that not every engine has, or of which not every engine has every value, each given back to its default.
fn not_of_every_engine() -> impl Iterator<Item = Change> {
    settings_of_some().chain([SettingId::Weights, SettingId::Cache]).map(SettingId::unset)
}
