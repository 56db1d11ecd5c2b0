//! What was made of a pasted `config.json`, and what is wrong with one.

use crate::model::{Mlp, NormKind, OwnFormat, QkNorm, Understood};
use crate::names::Name;
use crate::refusal::ModelProblem;

/// What is wrong with a model: what was given and what is allowed, without the key.
#[must_use]
pub fn refused(problem: &ModelProblem) -> String {
    match problem {
        ModelProblem::NoObject => "the keys of a config.json, an object, are needed".to_owned(),
        ModelProblem::Missing { most } => format!("missing; a whole number from 1 to {most} is needed"),
        ModelProblem::Range { given, least, most } => format!("{given} is given; allowed are {least} to {most}"),
        ModelProblem::Share { given } => format!("{given} is given; allowed are 0 to 1"),
        ModelProblem::Only { allowed } => format!("allowed is {allowed}"),
        ModelProblem::TwoNames { given, other_key, other } => {
            format!("{given} is given, but {other_key}, another name for it, is {other}; leave one of them out")
        }
        ModelProblem::KvHeads { kv_heads, default, heads, heads_key } => {
            let origin = if *default { " (the family's default)" } else { "" };
            format!(
                "{kv_heads}{origin} does not divide the {heads} of {heads_key}; query heads share key-value heads evenly"
            )
        }
        ModelProblem::Group { given, heads, heads_key } => {
            format!("{given} is given; it does not divide the {heads} of {heads_key}")
        }
        ModelProblem::HeadWidth { heads, hidden, hidden_key } => format!(
            "{heads} does not divide the {hidden} of {hidden_key}, and there is no head_dim to say the width of a head"
        ),
        ModelProblem::NoFamily { known } => format!("missing; known are {known}"),
        ModelProblem::KeysOfUnknown { model_type, missing, known } => format!(
            "\"{model_type}\" is not known, and to read it all the same these keys are missing: {missing}; known are \
             {known}"
        ),
        ModelProblem::OtherNorms { model_type } => format!(
            "\"{model_type}\" is no known family, and in place of rms_norm_eps its file has this key, which LayerNorms \
             have: whether they have biases it does not say"
        ),
        ModelProblem::NotUnderstood { model_type } => {
            format!("is not understood of a family that is not known (\"{model_type}\")")
        }
        ModelProblem::UnderUnknown { model_type, problem } => format!(
            "\"{model_type}\" is no known family, and what its file has under this key cannot be read yet: {}",
            super::refusals::problem(problem)
        ),
        ModelProblem::UnknownName { given, known } => format!("\"{given}\" is not known; known are {known}"),
        ModelProblem::UnknownKind { given } => {
            format!("{given} is not known; known are 0 linear, 1 full attention")
        }
        ModelProblem::NoWindow => "missing; layer_types names layers that have one".to_owned(),
        ModelProblem::Entries { given, layers } => {
            format!("{given} entries are given for {layers} layers; there must be one for each")
        }
        ModelProblem::NoIndexer => "at least one layer needs an indexer".to_owned(),
        ModelProblem::TooFewExperts { per_token, count, count_key } => {
            format!("{per_token} is given; a token can meet at most the {count} experts of {count_key}")
        }
        ModelProblem::SharedWidth { shared, width, most } => {
            format!("{shared} of {width} each is given; allowed are {most} in all")
        }
        ModelProblem::FirstDense { given, layers } => {
            format!("{given} is given; allowed are 0 to the {layers} of num_hidden_layers")
        }
        ModelProblem::NoBlocks => {
            "missing; a letter for each layer is needed: M state space, * attention, - MLP, E experts".to_owned()
        }
        ModelProblem::NoKinds => "missing; a 0 (linear attention) or 1 (full) for each layer is needed".to_owned(),
        ModelProblem::Blocks { layers, stated } => {
            format!("tells of {layers} layers; num_hidden_layers is {stated}")
        }
        ModelProblem::OtherGroup { given } => format!("{given} is given; allowed is what the layers before have"),
        ModelProblem::Measure { given: None } => "missing; a number from 0 to 1000 is needed".to_owned(),
        ModelProblem::Measure { given: Some(given) } => {
            format!("{given} is given; a number from 0 to 1000 is needed")
        }
        ModelProblem::TooLarge { parameters, most } => {
            format!("these dimensions make {parameters} parameters; at most {most} can be counted")
        }
    }
}

/// What was made of a file, for whoever pasted it to check.
#[must_use]
pub fn understood(understood: &Understood) -> String {
    let Understood { unknown, shape, format } = understood;
    let mut parts = vec![match unknown {
        None => shape.family.to_owned(),
        Some(model_type) => format!("\"{model_type}\" is no known family; read as a Llama-like decoder"),
    }];
    parts.push(format!("{} layers of {}", shape.layers, shape.hidden));
    parts.push(match shape.latent {
        Some(latent) => format!(
            "{} heads of {} with keys and values from a vector of {} + {}",
            shape.heads, shape.head_dim, latent.rank, latent.rope
        ),
        None => format!("{} query and {} key-value heads of {}", shape.heads, shape.kv_heads, shape.head_dim),
    });
    parts.push(match (shape.experts, shape.mlp) {
        (Some(experts), _) => format!(
            "{} experts of {} in {} layers, {} a token, shared {}; dense MLP of {} in {}",
            experts.count,
            experts.width,
            shape.expert_layers(),
            experts.per_token,
            experts.shared_width,
            shape.mlp_width,
            shape.dense_layers()
        ),
        (None, Mlp::Gated) => format!("gated MLP of {}", shape.mlp_width),
        (None, Mlp::Plain) => format!("plain MLP of {}", shape.mlp_width),
    });
    if let Some(window) = shape.window {
        parts.push(format!("a window of {} in {} layers", window.tokens, window.layers));
    }
    let norm = if shape.norm == NormKind::Rms { "RMS norms" } else { "norms" };
    let heads = if shape.qk_norm == QkNorm::No { "none on heads" } else { "and on heads" };
    parts.push(format!("{} {norm} a layer, {heads}", shape.norms_per_layer));
    let biases = [(shape.qkv_bias, "query, key, value"), (shape.output_bias, "output"), (shape.mlp_bias, "MLP")];
    let with: Vec<&str> = biases.iter().filter(|(given, _)| *given).map(|(_, of)| *of).collect();
    parts.push(if with.is_empty() { "no biases".to_owned() } else { format!("biases on {}", with.join(", ")) });
    parts.push(if shape.tied_embeddings { "head tied to the embedding" } else { "a head of its own" }.to_owned());
    let made = parts.join("; ");
    match format {
        None => made,
        // First, so that nobody takes the bytes below for those of the checkpoint.
        Some(format) => format!("{} {made}", own_format(format)),
    }
}

fn own_format(format: &OwnFormat) -> String {
    let mut told = format.method.as_deref().unwrap_or("a method it does not name").to_owned();
    for further in &format.further {
        told += &format!(", {further}");
    }
    if let Some(bits) = format.bits {
        told += &format!(", {bits} bits");
    }
    if let Some(group) = format.group {
        told += &format!(", groups of {group}");
    }
    match format.matching {
        Some(format) => format!(
            "The file's own weights are quantised ({told}): set inference.weights to {} to count them so; it is bf16 unless \
             set.",
            format.name()
        ),
        None => format!(
            "The file's own weights are quantised ({told}), which no value of inference.weights matches exactly; it is bf16 \
             unless set."
        ),
    }
}
