//! What a figure rests on.

use crate::ledger::Basis;

pub const COLUMN: &str = "basis";
pub const WITH_MEANING: &str = "{0}: {1}";

/// What a figure rests on, in a word or two.
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Exact => "exact",
        Basis::EngineRule => "engine rule",
        Basis::Fitted => "fitted",
        Basis::Assumed => "assumed",
    }
}

/// What it means that a figure rests on this.
pub fn basis_meaning(basis: Basis) -> &'static str {
    match basis {
        Basis::Exact => "counted from dimensions and formats",
        Basis::EngineRule => "what the engine or framework does, by its code or documentation",
        Basis::Fitted => "a constant drawn from published measurements",
        Basis::Assumed => "no published figure or rule was found",
    }
}
