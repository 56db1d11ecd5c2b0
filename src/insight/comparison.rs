//! The same question under other serving engines, side by side.

use crate::inference::{Budget, footprint, maximum_concurrency, maximum_context};
use crate::ledger::Account;
use crate::names::Engine;
use crate::plan::{Cluster, InferencePlan, Model};
use crate::refusal::FieldError;
use crate::resolve::{Resolved, resolve};
use crate::scenario::{Inference, Scenario};
use crate::units::Bytes;

/// The engines that are compared.
pub const COMPARED: [Engine; 5] =
    [Engine::Vllm, Engine::Sglang, Engine::TensorRtLlm, Engine::LlamaCpp, Engine::Transformers];

/// A scenario under one engine.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderEngine {
    /// The engine.
    pub engine: Engine,
    /// The scenario with that engine.
    pub scenario: Scenario,
    /// Fields that were given and that the engine has not, or means otherwise: they stand at its defaults here.
    pub given_up: Vec<&'static str>,
    /// What it comes to, or why it comes to nothing.
    pub figures: Result<EngineFigures, FieldError>,
}

/// What one GPU holds under an engine, and how much it can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineFigures {
    /// Weights.
    pub weights: Bytes,
    /// What is there for the cache.
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
    /// Those of a plan.
    #[must_use]
    pub fn of(model: &Model, plan: &InferencePlan, cluster: &Cluster) -> EngineFigures {
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

/// `scenario` under each of the engines compared.
#[must_use]
pub fn engines(scenario: &Scenario) -> Vec<UnderEngine> {
    COMPARED.into_iter().map(|engine| under(scenario, engine)).collect()
}

/// `scenario` under another engine. What only other engines have is given up, and so is a fraction of memory, which
/// every engine takes of something else.
#[must_use]
pub fn under(scenario: &Scenario, engine: Engine) -> UnderEngine {
    let mut scenario = scenario.clone();
    let mut given_up = Vec::new();
    let before = scenario.inference.as_ref().and_then(|half| half.engine).unwrap_or(Engine::Textbook);
    let half = scenario.inference_mut();
    half.engine = Some(engine);
    if before != engine && half.memory_fraction.take().is_some() {
        given_up.push("inference.memory_fraction");
    }
    // The ledger itself says which field the engine has not; each is taken away at most once.
    let figures = loop {
        match resolve(&scenario) {
            Ok(Resolved { model, cluster, inference, .. }) => {
                break inference.map(|plan| EngineFigures::of(&model, &plan, &cluster));
            }
            Err(error) => match give_up(scenario.inference_mut(), &error.field) {
                Some(field) => given_up.push(field),
                None => break Err(error),
            },
        }
    };
    UnderEngine { engine, scenario, given_up, figures }
}

/// Takes a field away that not every engine has; none where it was not there.
fn give_up(half: &mut Inference, field: &str) -> Option<&'static str> {
    macro_rules! fields {
        ($($name:ident),+) => {
            match field {
                $(_ if field == concat!("inference.", stringify!($name)) => {
                    half.$name.take().map(|_| concat!("inference.", stringify!($name)))
                })+
                _ => None,
            }
        };
    }
    fields!(
        memory_fraction,
        cuda_graphs,
        max_sequences,
        kv_cache_bytes,
        block,
        data_parallel_attention,
        expert,
        prefill_chunk,
        shared_prefix,
        kv_unified,
        swa_full,
        logits_rows,
        weights,
        kv
    )
}
