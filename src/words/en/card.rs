//! The card: what one GPU holds for serving and for training.

use crate::answer::Half;

pub const BOTH_LEDGERS: &str = "What one GPU holds";
pub const INFERENCE: &str = "Inference";
pub const TRAINING: &str = "Training";
pub const BAR_OF: &str = "{0}: memory by account";
pub const GPU_SHOWS: &str = "one {0} shows {1}";
pub const PER_GPU: &str = "on each GPU";
pub const FITS: &str = "fits one {0}, {1} to spare";
pub const ROOM_FOR_CACHE: &str = "room for {0} tokens of cache";
pub const TOO_MUCH: &str = "{0} too much for one {1}";
pub const GAP_LINE: &str = "Before one activation, training keeps {0} on a GPU and serving {1} of weights. Unsharded, that is {2} bytes a parameter against {3}: ×{4}.";
pub const INTEGERS_HOLD_NO_UPDATES: &str = "Training stays in BF16 mixed precision: integers hold no small updates. (QLoRA trains small adapters beside frozen 4-bit weights.)";
pub const THREE_SIZES: &str = "Tensors hold {0} (active), the allocator keeps {1} (reserved), the device shows {2} (used); measured runs of this framework: {3} to {4}.";

/// A half of the question.
pub fn half(half: Half) -> &'static str {
    match half {
        Half::Training => TRAINING,
        Half::Inference => INFERENCE,
    }
}
