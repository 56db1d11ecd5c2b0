//! axolotl: Hugging Face Trainer underneath, but `bf16: auto` makes it load the weights in bf16 and train them so
//! (`torch_dtype` follows `bf16` in its `utils/config`; 067b021), where the Trainer's own default keeps them in fp32. Norms and
//! embeddings that it casts up again for some adapters are counted in bf16. Everything else as there.

use crate::names::RecipeName;

use super::{Framework, Profile, hf_trainer};

/// Its defaults.
pub const PROFILE: Profile = Profile {
    framework: Framework::Axolotl,
    title: Some("axolotl"),
    recipe: RecipeName::Bf16Pure,
    ..hf_trainer::PROFILE
};
