//! The accounts of the ledger: what a byte on a GPU is held for.

use std::ops::{Index, IndexMut};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Entry;
use crate::units::Bytes;

macro_rules! accounts {
    ($($(#[$doc:meta])* $account:ident = $name:literal),+ $(,)?) => {
        /// What bytes are held for. The same list for training and serving, so that both stand on one scale.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Account { $($(#[$doc])* $account),+ }

        impl Account {
            /// Every account, in the order in which a bar stacks them.
            pub const ALL: [Account; [$($name),+].len()] = [$(Account::$account),+];

            /// The name as it stands in the report.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Account::$account => $name),+ }
            }
        }
    };
}

accounts! {
    /// Weights in the format they are computed or served with.
    Weights = "weights",
    /// Gradients.
    Gradients = "gradients",
    /// The fp32 copy that takes the small updates.
    MasterWeights = "master_weights",
    /// First moment.
    Momentum = "momentum",
    /// Second moment.
    Variance = "variance",
    /// Adapter weights.
    Adapters = "adapters",
    /// Weights gathered from the shards of other ranks.
    GatheredWeights = "gathered_weights",
    /// What decoder layers keep for backward.
    Activations = "activations",
    /// What embedding and final norm keep for backward.
    EdgeActivations = "edge_activations",
    /// Logits and what the loss makes of them.
    Loss = "loss",
    /// The layer being recomputed, gradients in flight.
    BackwardTemporaries = "backward_temporaries",
    /// Buckets and buffers of collectives.
    CommunicationBuffers = "communication_buffers",
    /// Keys and values of past tokens.
    KvCache = "kv_cache",
    /// Libraries, kernel caches, live tensors of a pass.
    Workspace = "workspace",
    /// Device context and communicators, outside the allocator.
    Runtime = "runtime",
    /// What the allocator reserves and does not use.
    Slack = "slack",
}

/// Bytes by account; every account is always there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accounts([Bytes; Account::ALL.len()]);

impl Accounts {
    /// The sum over all accounts.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.0.iter().copied().sum()
    }

    /// The sum of entries, by account.
    #[must_use]
    pub fn of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Accounts {
        let mut accounts = Accounts::default();
        for entry in entries {
            accounts[entry.account] += entry.bytes;
        }
        accounts
    }

    /// Every account with its bytes, in the order of a bar.
    pub fn iter(&self) -> impl Iterator<Item = (Account, Bytes)> + '_ {
        Account::ALL.into_iter().map(|account| (account, self[account]))
    }
}

impl Index<Account> for Accounts {
    type Output = Bytes;
    fn index(&self, account: Account) -> &Bytes {
        &self.0[account as usize]
    }
}

impl IndexMut<Account> for Accounts {
    fn index_mut(&mut self, account: Account) -> &mut Bytes {
        &mut self.0[account as usize]
    }
}

impl Serialize for Accounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Account::ALL.len()))?;
        for (account, bytes) in self.iter() {
            map.serialize_entry(account.name(), &bytes)?;
        }
        map.end()
    }
}
