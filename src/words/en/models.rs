//! Choosing a model.

pub const MODEL: &str = "Model";
pub const ASSUMED_SHAPE: &str = "assumed: {0}";
pub const DECODER_OF: &str = "{0} decoder";
pub const DECODER_OF_ANY_SIZE: &str = "Decoder of any size, its shape assumed";
pub const PASTED_CONFIG: &str = "Paste a config.json …";
pub const PASTED_CONFIG_OF: &str = "Pasted config.json ({0})";
pub const SHAPE: &str = "{0} layers × {1}, {2} heads, {3} key-value heads";
pub const CONFIG_JSON: &str = "config.json";
pub const PASTE_HERE: &str = "Text of a Hugging Face config.json (it stays in this browser)";
pub const USE_THIS_MODEL: &str = "Use this model";
pub const CANCEL: &str = "Cancel";
pub const SEARCH: &str = "Type to search models by name or id";
pub const FOUND: &str = "{0} models";
pub const NO_MODEL: &str = "No model is called that. Any size can be set with the slider, or paste a config.json.";
pub const OTHER_CHOICES: &str = "Not in the list";
