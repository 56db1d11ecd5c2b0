//! How sure a figure is: whether its rule is a count, an engine's own way, a fit, or a guess.

/// What a rule's bytes rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Basis {
    /// Counted from dimensions and formats: nothing in it was measured.
    Exact,
    /// What an engine or a framework does, as its code or documentation says: its blocks, roundings, buffers, budgets.
    EngineRule,
    /// Fitted to published measurements.
    Fitted,
    /// Assumed, for want of anything better.
    Assumed,
}

impl Basis {
    /// Every basis, the surest first.
    pub const ALL: [Basis; 4] = [Basis::Exact, Basis::EngineRule, Basis::Fitted, Basis::Assumed];

    /// The name in the report and in the reference pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Basis::Exact => "exact",
            Basis::EngineRule => "engine_rule",
            Basis::Fitted => "fitted",
            Basis::Assumed => "assumed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rule;
    use super::*;

    #[test]
    fn a_source_that_speaks_of_measurements_is_not_called_exact() {
        for rule in Rule::ALL {
            let source = rule.source();
            let measured = ["fitted", "residual", "start-up logs", "public runs", "assumed"];
            if measured.iter().any(|word| source.contains(word)) {
                assert!(rule.basis() >= Basis::Fitted, "{} rests on: {source}", rule.id());
            }
        }
    }

    #[test]
    fn every_basis_is_some_rule_s() {
        for basis in Basis::ALL {
            assert!(Rule::ALL.iter().any(|rule| rule.basis() == basis), "{}", basis.name());
        }
    }
}
