//! What the accounts of the ledger are called, short enough for a bar.

use crate::ledger::Account;

/// An account.
pub fn account(account: Account) -> &'static str {
    match account {
        Account::Weights => "weights",
        Account::Gradients => "gradients",
        Account::MasterWeights => "fp32 master weights",
        Account::Momentum => "momentum",
        Account::Variance => "variance",
        Account::Adapters => "adapters",
        Account::GatheredWeights => "gathered weights",
        Account::Activations => "activations",
        Account::EdgeActivations => "edge activations",
        Account::Loss => "loss",
        Account::BackwardTemporaries => "backward temporaries",
        Account::CommunicationBuffers => "communication buffers",
        Account::KvCache => "key-value cache",
        Account::Workspace => "workspace",
        Account::Runtime => "runtime",
        Account::Slack => "allocator slack",
    }
}
