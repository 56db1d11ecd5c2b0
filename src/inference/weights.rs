//! Served weights of one GPU, by the way they are stored.

use crate::engines::Traits;
use crate::ledger::{Account, Entry, Rule};
use crate::model::{Layers, Role, TensorGroup};
use crate::plan::{InferencePlan, Model};
use crate::units::Bytes;

use crate::weight_formats::{self, Covers, Scales, Stored};

/// Weights of one rank: numbers of each storage under the rule that tells of them, and scales of four and of two bytes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Held {
    numbers: Vec<(Rule, f64, f64)>,
    scales: [f64; 2],
}

impl Held {
    fn add(&mut self, rule: Rule, bits: f64, count: f64) {
        match self.numbers.iter_mut().find(|(other, its, _)| *other == rule && *its == bits) {
            Some((_, _, sum)) => *sum += count,
            None => self.numbers.push((rule, bits, count)),
        }
    }

    fn with(mut self, other: &Held) -> Held {
        for (rule, bits, count) in &other.numbers {
            self.add(*rule, *bits, *count);
        }
        for (sum, more) in self.scales.iter_mut().zip(other.scales) {
            *sum += more;
        }
        self
    }

    fn entries(&self) -> Vec<Entry> {
        let numbers =
            self.numbers.iter().map(|(rule, bits, count)| Entry::new(Account::Weights, *rule, [*bits, *count]));
        let scales = [4.0, 2.0].into_iter().zip(self.scales);
        let scales = scales.map(|(each, count)| Entry::new(Account::Weights, Rule::ServedScales, [each, count]));
        numbers.chain(scales).collect()
    }

    fn bytes(&self) -> Bytes {
        self.entries().iter().map(|entry| entry.bytes).sum()
    }
}

/// A tensor's part on one rank.
struct Local {
    rows: f64,
    columns: f64,
    count: f64,
}

/// The weights that the fullest GPU of `plan` holds.
#[must_use]
pub fn served(model: &Model, plan: &InferencePlan) -> Vec<Entry> {
    let shape = &model.architecture;
    let engine = plan.engine.traits();
    let (mut layers, mut first, mut last) = (Held::default(), Held::default(), Held::default());
    layers.add(Rule::ServedLinear, weight_formats::weight_bits(plan.weights), model.extra() / plan.tensor as f64);
    for (group, kind) in shape.placed_tensors(shape.vocabulary) {
        let table = matches!(group.role, Role::Embedding | Role::Positions);
        let first_end = table || group.role == Role::EmbeddingNorm;
        let held = match group.role {
            _ if group.per_layer => &mut layers,
            _ if first_end => &mut first,
            _ => &mut last,
        };
        // Rows are looked up on the host; a tied matrix is stored a second time as the head.
        if !(table && engine.embedding_on_host) {
            hold(held, model, plan, engine, (&group, kind));
        }
        if group.role == Role::Embedding && shape.tied_embeddings && (plan.pipeline > 1 || engine.embedding_on_host) {
            hold(&mut last, model, plan, engine, (&group, kind));
        }
    }
    let ends = match plan.pipeline {
        1 => first.with(&last),
        // No GPU has both ends; the fuller one decides.
        _ if first.bytes() > last.bytes() => first,
        _ => last,
    };
    let mut entries = layers.with(&ends).entries();
    if let (true, Some(positions)) = (engine.rotary_bytes > 0.0 && shape.rotary > 0, shape.maximum_positions) {
        let terms = [engine.rotary_bytes, positions as f64, shape.rotary as f64];
        entries.push(Entry::new(Account::Weights, Rule::RotaryTable, terms));
    }
    entries
}

/// Enters one rank's part of `group`.
fn hold(held: &mut Held, model: &Model, plan: &InferencePlan, engine: &Traits, (group, kind): (&TensorGroup, Layers)) {
    let shape = &model.architecture;
    let (covers, quantised) = weight_formats::of(plan.weights);
    let share = if group.per_layer { plan.layer_share(shape) } else { 1.0 };
    let divisor = if group.role.is_expert() {
        // An expert lies whole on one rank, or is cut where there are more tensor ranks than ranks of experts.
        shape.parts_of(group.role, plan.tensor).max(plan.expert as f64)
    } else if plan.data_parallel_attention && group.role.is_attention() {
        1.0
    } else {
        shape.parts_of(group.role, plan.tensor)
    };
    let (rows, columns) = (group.rows as f64, group.columns as f64);
    let whole_experts = (plan.expert as f64).min(divisor);
    // Output and down are cut along their inputs: each rank keeps a scale for every output.
    let by_inputs =
        matches!(group.role, Role::Output | Role::LinearOutput | Role::MlpDown | Role::ExpertDown | Role::SharedDown);
    let (inside, among) =
        if group.role.is_expert() { (divisor / whole_experts, whole_experts) } else { (divisor, 1.0) };
    let (rows, columns) = if by_inputs { (rows, columns / inside) } else { (rows / inside, columns) };
    let local = Local { rows, columns, count: group.count as f64 / among * share };

    if covers == Covers::Mix {
        if !group.per_layer {
            store(held, Rule::ServedMix, weight_formats::in_mix(plan.weights, shape, group, 0), &local);
            return;
        }
        let each = local.count / shape.layers_at(kind) as f64;
        for layer in (0..shape.layers).filter(|layer| shape.is_at(kind, *layer)) {
            let stored = weight_formats::in_mix(plan.weights, shape, group, layer);
            store(held, Rule::ServedMix, stored, &Local { count: each, ..local });
        }
        return;
    }
    let is_quantised = match covers {
        Covers::Experts if shape.experts.is_some() => group.role.is_expert() && group.role.is_matrix(),
        _ => group.role.is_linear(),
    };
    let stored = if is_quantised || covers == Covers::All { quantised } else { Stored::Half };
    let rule = if group.role.is_linear() { Rule::ServedLinear } else { Rule::ServedRest };
    let multiple = engine.mxfp4_multiple;
    if stored == Stored::Mxfp4 && multiple > 1.0 && group.role.is_expert() {
        let padded = |width: f64| (width / multiple).ceil() * multiple;
        let local = if group.role == Role::ExpertDown {
            Local { rows: padded(local.rows), ..local }
        } else {
            Local { columns: padded(local.columns), ..local }
        };
        store(held, rule, stored, &local);
        return;
    }
    store(held, rule, stored, &local);
}

fn store(held: &mut Held, rule: Rule, stored: Stored, local: &Local) {
    let Local { rows, columns, count } = *local;
    let layout = stored.layout();
    held.add(rule, layout.bits, count * stored.filled(rows, columns));
    let scales = match layout.scales {
        Scales::None => [0.0, 0.0],
        Scales::Channel => [rows, 0.0],
        Scales::Tile => [(rows / 128.0).ceil() * (columns / 128.0).ceil(), 0.0],
        Scales::Tensor => [1.0, 0.0],
        Scales::Gptq => [columns, rows],
    };
    for (sum, more) in held.scales.iter_mut().zip(scales) {
        *sum += count * more;
    }
}
