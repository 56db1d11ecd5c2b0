//! The ledger: bytes, with the rule and the terms they came from.
//!
//! An [`Entry`] holds only numbers. Text is made from them by [`explain`] when somebody looks, so estimating stays cheap.

mod account;
mod basis;
mod explain;
mod rules;
mod symbols;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

pub use account::{Account, Accounts};
pub use basis::Basis;
pub use explain::{Explanation, TermText, explain, grouped};
pub use rules::Rule;
pub use symbols::{Symbol, Unit};

use crate::units::Bytes;

/// The most symbols a rule has.
pub const MOST_TERMS: usize = 8;

/// One line of the ledger: bytes for an account, by a rule, from the numbers that the rule takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// What the bytes are held for.
    pub account: Account,
    /// The formula they came from.
    pub rule: Rule,
    terms: [f64; MOST_TERMS],
    /// The bytes.
    pub bytes: Bytes,
}

impl Entry {
    /// An entry whose bytes are what `rule` gives for `terms`, which stand in the order of the rule's symbols.
    #[must_use]
    pub fn new<const N: usize>(account: Account, rule: Rule, terms: [f64; N]) -> Entry {
        const { assert!(N <= MOST_TERMS) };
        debug_assert_eq!(N, rule.symbols().len(), "{rule:?} has other symbols");
        let bytes = Bytes::whole(rule.evaluate(&terms));
        let mut all = [0.0; MOST_TERMS];
        all[..N].copy_from_slice(&terms);
        Entry { account, rule, terms: all, bytes }
    }

    /// The numbers put into the rule, in the order of its symbols.
    #[must_use]
    pub fn terms(&self) -> &[f64] {
        &self.terms[..self.rule.symbols().len()]
    }
}

/// The terms of an entry by their sign.
struct Terms<'a>(&'a Entry);

impl Serialize for Terms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.terms().len()))?;
        for (symbol, value) in self.0.rule.symbols().iter().zip(self.0.terms()) {
            map.serialize_entry(symbol.sign(), value)?;
        }
        map.end()
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entry = serializer.serialize_struct("Entry", 6)?;
        entry.serialize_field("account", self.account.name())?;
        entry.serialize_field("rule", self.rule.id())?;
        entry.serialize_field("terms", &Terms(self))?;
        entry.serialize_field("bytes", &self.bytes)?;
        entry.serialize_field("basis", self.rule.basis().name())?;
        entry.serialize_field("sources", &[self.rule.source()])?;
        entry.end()
    }
}
