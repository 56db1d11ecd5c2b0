//! The view Communication.

pub const NAME: &str = "Communication";
pub const SENT_IN_A_STEP: &str = "Training: what one GPU sends in an optimiser step";
pub const SENT_IN_A_PASS: &str = "Inference: what one GPU sends in a pass";
pub const NOTHING_SENT: &str = "{0}: nothing.";
pub const EXPOSED_MEANS: &str = "Exposed is what no computation hides: for so long the GPU waits.";
pub const WHAT_MOVES: &str = "what moves";
pub const COLLECTIVE_COLUMN: &str = "collective";
pub const GROUP_COLUMN: &str = "among";
pub const GROUP_OF: &str = "{0} ({1} ranks)";
pub const LINK_COLUMN: &str = "slowest link";
pub const CALLS_COLUMN: &str = "calls";
pub const SENT_COLUMN: &str = "sent";
pub const TIME_COLUMN: &str = "time";
pub const EXPOSED_COLUMN: &str = "exposed";
pub const LARGEST_EXPOSED: &str = "the longest wait";
pub const HIDES_COLUMN: &str = "what would hide it";
