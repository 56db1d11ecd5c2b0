//! The lines about memory that an engine prints when it starts, as the ledger expects them.

use crate::decimal::fixed;
use crate::ledger::{Account, Accounts, grouped};
use crate::resolve::{Cluster, InferencePlan};
use crate::scenario::Engine;
use crate::units::{GIB, MIB};

use super::capacity::maximum_concurrency;
use super::memory::Footprint;

/// What the engine of `plan` would log; nothing for those that print no such lines. `accounts` are of one GPU.
#[must_use]
pub fn log(footprint: &Footprint, plan: &InferencePlan, cluster: &Cluster, accounts: &Accounts) -> Vec<String> {
    let (context, requests) = (plan.context as f64, plan.requests() as f64);
    let pool = footprint.pool(cluster, context, requests).max(0.0);
    let capacity = footprint.cache.capacity(pool, requests);
    let gib = |bytes: f64, decimals: usize| fixed(bytes / GIB, decimals);
    let mib = |account: Account| fixed(accounts[account].get() / MIB, 2);
    match plan.engine {
        Engine::Textbook | Engine::Transformers => Vec::new(),
        Engine::Vllm => {
            let most = maximum_concurrency(footprint, plan, cluster) / plan.replicas as f64;
            vec![
                ["Model loading took ", &gib(accounts[Account::Weights].get(), 4), " GiB"].concat(),
                ["Available KV cache memory: ", &gib(pool, 2), " GiB"].concat(),
                ["GPU KV cache size: ", &grouped(&fixed(capacity, 0)), " tokens"].concat(),
                [
                    "Maximum concurrency for ",
                    &grouped(&fixed(context, 0)),
                    " tokens per request: ",
                    &fixed(most, 2),
                    "x",
                ]
                .concat(),
            ]
        }
        // It says GB and means GiB.
        Engine::Sglang => {
            let half = gib(capacity * footprint.cache.per_token() / 2.0, 2);
            let tokens = fixed(capacity, 0);
            vec![
                ["KV Cache is allocated. #tokens: ", &tokens, ", K size: ", &half, " GB, V size: ", &half, " GB"]
                    .concat(),
            ]
        }
        Engine::TensorRtLlm => {
            let tokens = fixed(capacity, 0);
            vec![["Allocated ", &gib(pool, 2), " GiB for max tokens in paged KV cache (", &tokens, ")."].concat()]
        }
        Engine::LlamaCpp => vec![
            ["CUDA0 model buffer size = ", &mib(Account::Weights), " MiB"].concat(),
            ["CUDA0 KV buffer size = ", &mib(Account::KvCache), " MiB"].concat(),
            ["CUDA0 compute buffer size = ", &mib(Account::Workspace), " MiB"].concat(),
        ],
    }
}
