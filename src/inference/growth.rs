//! The cache against context, by kind of layer: what grows with every token, what stops at a window, what never grows.

use crate::plan::{InferencePlan, Model};

use super::cache::{Cache, KindBytes};
use crate::answer::LayerKind;

/// What one GPU caches at one length of context.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// Tokens a request holds.
    pub context: u64,
    /// Each kind of layer there is with its bytes, in the order of [`LayerKind::ALL`].
    pub kinds: Vec<KindBytes>,
}

impl Growth {
    /// Bytes of a kind.
    #[must_use]
    pub fn of(&self, kind: LayerKind) -> f64 {
        self.kinds.iter().filter(|part| part.kind == kind).map(|part| part.bytes.get()).sum()
    }

    /// Bytes of all kinds.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinds.iter().map(|part| part.bytes.get()).sum()
    }
}

/// The shortest context that is looked at.
const SHORTEST: u64 = 512;
/// As far as is looked where neither the model nor the question goes further.
const USUAL: u64 = 1 << 17;

/// The cache of `plan` with its requests at doubling lengths of context, up to the model's own limit, and the length
/// asked for among them.
#[must_use]
pub fn growth(model: &Model, plan: &InferencePlan) -> Vec<Growth> {
    let shape = &model.architecture;
    let cache = Cache::new(shape, plan);
    let longest = shape.maximum_positions.unwrap_or(USUAL).max(plan.context).max(2 * SHORTEST);
    let doubling = std::iter::successors(Some(SHORTEST), |context| Some(context * 2));
    let mut contexts: Vec<u64> = doubling.take_while(|context| *context < longest).collect();
    contexts.extend([longest, plan.context]);
    contexts.sort_unstable();
    contexts.dedup();
    let at = |context: u64| Growth { context, kinds: cache.by_kind(context as f64, plan.requests() as f64) };
    contexts.into_iter().map(at).collect()
}
