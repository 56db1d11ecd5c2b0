//! What the drawings of phases and of stages have in common.

pub const NOTHING_TRAINED: &str = "Nothing can be trained with these settings; the card says why.";
pub const CAPACITY_LINE: &str = "one {0} shows {1}";
pub const CAPACITY_BEYOND: &str = "The scale ends at {0}; one {1} shows {2}, far beyond it.";
pub const LOSS: &str = "loss";
pub const FORWARD: &str = "forward done";
pub const BACKWARD: &str = "backward begins";
pub const BACKWARD_END: &str = "backward ends";
pub const OPTIMIZER: &str = "optimiser";
pub const COLUMN: &str = "phase";
pub const PHASE_HOLDS: &str = "{0}: {1} in “{2}”";
pub const STAGE_HOLDS: &str = "{0}: {1} on stage {2}";
pub const CHOOSE_SEGMENT: &str = "Choose a part of a bar to see where its bytes come from.";
