//! Sources of the catalogues.

pub const TITLE: &str = "Where the figures of this model and this GPU come from";
pub const ON_THEIR_WAY: &str = "On their way …";
pub const FAILED: &str = "The sources could not be fetched. Close and open this part to try again.";
pub const SOURCE_OF: &str = "{0}: {1}";
pub const MODEL_ASSUMED: &str = "No published model is chosen: the shape is assumed from the parameter count.";
pub const MODEL_PASTED: &str = "The dimensions are those of the pasted config.json.";
pub const GPU_OWN: &str = "The figures of this GPU were given with the question.";
pub const COUNT_DERIVED: &str = "Counted from its dimensions: {0} parameters.";
pub const COUNT_PUBLISHED: &str = "Published: {0}, the same to the last parameter.";
pub const COUNT_DIFFERS: &str = "Published: {0}, a difference of {1}: {2}";
pub const COUNT_ROUND: &str = "Only a round figure was published. {0}";
pub const UNVERIFIED: &str = "No published source was read for: {0}.";
