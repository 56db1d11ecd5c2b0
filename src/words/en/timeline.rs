//! The view Timeline.

pub const NAME: &str = "Timeline";
pub const FINDING: &str = "A step needs most at “{0}”: tensors hold {1} on one GPU.";
pub const AGAINST: &str = "The next largest, “{0}”, holds {1} less: {2}.";
pub const COMES_AND_GOES: &str = "{0} stay from step to step; {1} come and go within each.";
pub const OF_STAGE: &str = "This is stage {0} of the pipeline, the one that holds most.";
pub const TENSORS: &str = "These are tensors alone. With what the allocator keeps back and what lies outside it, the device shows {0} at the peak: that is what has to fit.";
pub const DRAWING: &str = "Memory in the phases of a step, in their order.";
pub const LARGEST_PHASE: &str = "largest";
pub const STEADY_LINE: &str = "kept between steps: {0}";
pub const PEAK_IN_LOSS: &str = "Everything that forward kept for backward is still there, and the logits come on top: a number for every token and every entry of the vocabulary.";
pub const PEAK_IN_FORWARD: &str =
    "Every micro-batch in flight has gone through these layers, and all that backward needs of it is kept.";
pub const PEAK_IN_BACKWARD: &str = "Everything that forward kept for backward is still there, and backward adds what the layer at work needs for a while: gradients in flight, and whatever is computed anew.";
pub const PEAK_IN_BACKWARD_END: &str =
    "What forward kept is used up but for one layer; instead all gradients are there, beside everything that stays.";
pub const PEAK_IN_OPTIMIZER: &str =
    "Nothing of forward and backward is left; what the optimiser holds is more than the passes ever needed.";
pub const CAPTION: &str = "The phases of an optimiser step, on one GPU, in {0}";
pub const TABLE: &str = "The phases of an optimiser step";
pub const HAPPENS_COLUMN: &str = "what happens";
pub const HELD_COLUMN: &str = "held";
pub const OVER_STEADY_COLUMN: &str = "against between steps";
pub const IN_LOSS: &str =
    "Forward has gone through all layers and kept what backward will need; head and loss are computed.";
pub const IN_FORWARD: &str =
    "Forward of this stage is done for every micro-batch in flight; what backward will need is kept.";
pub const IN_BACKWARD: &str =
    "Backward starts at the last layer: everything is still kept, and the first gradients are computed.";
pub const IN_BACKWARD_END: &str =
    "Backward reaches the first layer: what was kept is used up, and every gradient is there.";
pub const IN_OPTIMIZER: &str =
    "The optimiser turns gradients and moments into new weights; the passes have left nothing.";
pub const BETWEEN_STEPS: &str = "between steps";
pub const IN_BETWEEN: &str = "What stays from one step to the next.";
pub const PHASES_BY_ACCOUNT: &str = "What is held in each phase";
pub const PADDING_COSTS: &str = "{0} of the tokens are padding: without them the peak would be {1} lower, a step {2} shorter, and each GPU would send {3} less in it.";
