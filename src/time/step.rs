//! The time of an optimiser step: products, what communication they do not hide, and the update.

use crate::answer::{Group, Step, Traffic};
use crate::communication::{self, Planned, Window};
use crate::names::{ComputeFormat, Schedule};
use crate::plan::{Cluster, Model, TrainingJob, TrainingPlan};
use crate::training::{Parts, Stage, moments, parts_of};
use crate::units::Seconds;

use super::efficiency;
use super::flops::{self, HardwareFlops, Products};
use super::moved;

/// The first of some stages that computes longest; `hardware` is of the plan they belong to.
#[must_use]
pub fn slowest_of(model: &Model, hardware: &HardwareFlops, mut stages: impl Iterator<Item = Stage>) -> Stage {
    let flops = |stage: &Stage| hardware.of_stage(stage, model.architecture.layers as f64).total();
    // There is always a first stage.
    let first = stages.next().unwrap_or_else(|| unreachable!());
    stages.fold(first, |most, stage| if flops(&stage) > flops(&most) { stage } else { most })
}

/// FLOPs a token of a model as a plan computes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Those the hardware does.
    pub hardware: HardwareFlops,
    /// Those of the model, by the convention asked for.
    pub model: f64,
}

impl Work {
    /// Those of a plan: the same for all ways to share out, all schedules and all micro-batches.
    #[must_use]
    pub fn of(model: &Model, plan: &TrainingPlan) -> Work {
        Work { hardware: flops::hardware(model, plan), model: flops::model(model, plan) }
    }
}

/// The time of an optimiser step, and what is sent in it: those of the stage that computes longest, which all others wait
/// for.
#[must_use]
pub fn step(job: TrainingJob) -> (Step, Vec<Traffic>) {
    let work = Work::of(job.model, job.plan);
    let stage = slowest_of(job.model, &work.hardware, Stage::all(job.plan, &job.model.architecture));
    let parts = parts_of(job, &stage);
    step_with(job, &work, &stage, &parts, communication::training(job, &stage, &parts))
}

/// The same where FLOPs, the slowest stage with its parts and its lines of traffic are known already: settles what each
/// line hides, and adds the step up.
#[must_use]
pub fn step_with(
    job: TrainingJob,
    work: &Work,
    stage: &Stage,
    parts: &Parts,
    planned: Vec<Planned>,
) -> (Step, Vec<Traffic>) {
    let TrainingJob { model, plan, cluster, .. } = job;
    let gpus = cluster.gpus as f64;
    let hardware = &work.hardware;
    let peak = cluster.gpu.peak.rate(plan.recipe.compute);
    let tokens = plan.step_tokens();
    let micro_batches = plan.accumulation as f64;
    let of_stage = hardware.of_stage(stage, model.architecture.layers as f64);
    let passes = pass_seconds(job, stage, &of_stage);

    let traffic = hide(planned, plan, [passes.forward, passes.backward], stage.layers.all());
    let hidden: f64 = traffic.iter().map(|line| line.seconds.0 - line.exposed_seconds.0).sum();
    let slowed = if plan.mfu_ceiling.is_some() { 0.0 } else { efficiency::INTERFERENCE * hidden };
    let products = (passes.forward + passes.backward) * micro_batches;
    let compute = products + slowed;
    // Micro-batches that fill and drain the pipeline are slowed down and wait for their collectives as any other.
    let within = |line: &&Traffic| matches!(line.group, Group::Tensor | Group::Context);
    let waiting: f64 = traffic.iter().filter(within).map(|line| line.exposed_seconds.0).sum();
    let bubble = bubble_seconds(plan, &passes) * (1.0 + (slowed + waiting) / products);
    let exposed: Seconds = traffic.iter().map(|line| line.exposed_seconds).sum();
    let optimizer = optimizer_seconds(plan, parts, cluster);
    let seconds = compute + exposed.0 + bubble + optimizer;
    let model_flops = work.model;
    // Padding is held and computed like any other token, and is no use.
    let useful = tokens * plan.packing;
    let hardware_flops = hardware.total() / plan.packing;
    let of_peak = |per_token: f64| per_token * useful / (seconds * gpus * peak);
    let step = Step {
        seconds: Seconds(seconds),
        compute_seconds: Seconds(compute),
        exposed_communication_seconds: exposed,
        bubble_seconds: Seconds(bubble),
        optimizer_seconds: Seconds(optimizer),
        waiting_share: exposed.0 / seconds,
        tokens_per_second_per_gpu: useful / seconds / gpus,
        model_flops_per_token: model_flops,
        hardware_flops_per_token: hardware_flops,
        mfu: of_peak(model_flops),
        hfu: of_peak(hardware_flops),
        high_seconds: Seconds(seconds * efficiency::at_most(cluster.gpus)),
    };
    (step, traffic)
}

/// Seconds of the passes of one micro-batch through a stage.
struct Passes {
    forward: f64,
    backward: f64,
    /// The part of backward that makes weight gradients.
    weights: f64,
}

/// How long the passes of a micro-batch take: products at what the GPU reaches of its peak, and what is read and written
/// between them at what it reaches of its memory's bandwidth. With a ceiling of the whole model's matrix work given, that
/// is all there is.
fn pass_seconds(job: TrainingJob, stage: &Stage, flops: &HardwareFlops) -> Passes {
    let TrainingJob { model, plan, profile, cluster } = job;
    let shape = &model.architecture;
    let gpu = &cluster.gpu;
    // Every stage has its share of the GPUs and meets all tokens.
    let tokens = plan.step_tokens() / (cluster.gpus as f64 / plan.pipeline as f64) / plan.accumulation as f64;
    let compute = plan.recipe.compute;
    if let Some(ceiling) = plan.mfu_ceiling {
        let seconds = |flops: f64| tokens * flops / (gpu.peak.rate(compute) * ceiling);
        return Passes {
            forward: seconds(flops.forward.total() + flops.ends[0]),
            backward: seconds(flops.backward.total() + flops.ends[1]),
            weights: seconds(flops.weight_gradients.total() + flops.ends[1] - flops.ends[0]),
        };
    }
    let reached = profile.reached.on(gpu.generation);
    // Head and attention stay in 16 bits whatever the products of the layers are in.
    let plain = if compute == ComputeFormat::Fp32 { compute } else { ComputeFormat::Bf16 };
    let narrow = shape.hidden as f64 / plan.tensor as f64;
    let narrow_expert = shape.experts.map_or(narrow, |experts| (experts.width / plan.expert_tensor) as f64);
    let rate = |format, width: f64| gpu.peak.rate(format) * reached.of_products(format, width);
    let common = rate(compute, narrow);
    let experts = rate(compute, narrow_expert) * reached.experts / plan.expert_load;
    let head = rate(plain, narrow);
    let attention = gpu.peak.rate(plain) * reached.attention;
    let products = |part: &Products| part.common / common + part.experts / experts + part.attention / attention;
    let memory = gpu.bandwidth * cluster.memory_efficiency;
    let moved = moved::forward(shape, plan) * stage.layers.all() / stage.copies / memory;
    let ends = if stage.last { moved::ends(plan) / stage.copies / memory } else { 0.0 };
    let straggling = efficiency::straggling(cluster.gpus);
    let slower = tokens * straggling;
    let beside = straggling * reached.layer_seconds(plan.gathers_weights()) * stage.layers.all() / stage.copies;
    let weights =
        slower * (products(&flops.weight_gradients) + (flops.ends[1] - flops.ends[0]).max(0.0) / head) + beside / 3.0;
    Passes {
        forward: slower * (products(&flops.forward) + flops.ends[0] / head + moved + ends / 3.0) + beside / 3.0,
        // What is read is read again, and a gradient of as much is written.
        backward: slower
            * (products(&flops.backward) + flops.ends[1] / head + (2.0 + flops.again) * moved + ends * 2.0 / 3.0)
            + beside * 2.0 / 3.0,
        weights,
    }
}

/// What a stage waits for others in a step: with F for forward, B for backward and W for the part of it that makes weight
/// gradients, all of one micro-batch.
///
/// 1F1B and GPipe `(p-1)·(F+B)`, interleaved over v (Narayanan et al. 2021, arXiv 2104.04473, section 2.2); ZB1P
/// `(p-1)·(F+B-2W)`, ZB2P and ZBV `(p-1)·(F+B-3W)` (Qi et al. 2023, arXiv 2401.10241, table 1, whose B leaves W out);
/// DualPipe `(p/2-1)·(F&B+B-3W)` with F and B overlapped (DeepSeek-V3, arXiv 2412.19437, table 2). Where weight gradients
/// take longer than what they would fill, nothing is left to wait for.
fn bubble_seconds(plan: &TrainingPlan, passes: &Passes) -> f64 {
    let others = (plan.pipeline - 1) as f64;
    let &Passes { forward, backward, weights } = passes;
    let seconds = match plan.schedule {
        Schedule::GPipe | Schedule::OneForwardOneBackward => others * (forward + backward),
        Schedule::Interleaved => others * (forward + backward) / plan.virtual_stages as f64,
        Schedule::Zb1p => others * (forward + backward - 2.0 * weights),
        Schedule::Zb2p | Schedule::Zbv => others * (forward + backward - 3.0 * weights),
        Schedule::DualPipe => (plan.pipeline as f64 / 2.0 - 1.0) * (forward + 2.0 * backward - 3.0 * weights),
    };
    seconds.max(0.0)
}

/// What computation hides of each line. The lines of one window share it; what one layer needs before it can start, or
/// sends after it is done, is never hidden: a layer's share of each line.
fn hide(planned: Vec<Planned>, plan: &TrainingPlan, windows: [f64; 2], layers: f64) -> Vec<Traffic> {
    let room_of = |window| match window {
        Window::None | Window::Steady(_) | Window::Share(_) => 0.0,
        Window::Forward(micro_batches) => windows[0] * micro_batches,
        Window::Backward(micro_batches) => windows[1] * micro_batches,
    };
    let same = |a: Window, b: Window| {
        matches!((a, b), (Window::Forward(_), Window::Forward(_)) | (Window::Backward(_), Window::Backward(_)))
    };
    let claims: Vec<f64> = planned
        .iter()
        .map(|line| planned.iter().filter(|other| same(line.window, other.window)).map(|o| o.traffic.seconds.0).sum())
        .collect();
    planned
        .into_iter()
        .zip(claims)
        .map(|(line, claimed)| {
            let seconds = line.traffic.seconds.0;
            let share = if claimed > 0.0 { seconds / claimed } else { 0.0 };
            let hidden = if let Window::Steady(calls) = line.window {
                seconds * (1.0 - calls / line.traffic.calls).max(0.0)
            } else if let Window::Share(share) = line.window {
                share * seconds
            } else {
                let hideable = seconds * (1.0 - 1.0 / layers);
                // A ring overlaps by its own making, whatever data-parallel traffic does.
                let overlap = if line.traffic.group == Group::Context { 1.0 } else { plan.data_overlap };
                (room_of(line.window) * share).min(overlap * hideable)
            };
            Traffic { exposed_seconds: Seconds(seconds - hidden), ..line.traffic }
        })
        .collect()
}

/// The update reads gradients, reads and writes master weights and moments, and writes the weights; memory bandwidth
/// bounds it. With `bf16-mixed-fp32-gradients` that is the 30 bytes a parameter that published steps fit.
fn optimizer_seconds(plan: &TrainingPlan, parts: &Parts, cluster: &Cluster) -> f64 {
    let recipe = &plan.recipe;
    let [shards, expert_shards] = plan.shards()[2];
    let parameters = parts.trained.common_local / shards + parts.trained.experts_local / expert_shards;
    let moments: f64 = moments(parts, plan).iter().map(|entry| entry.bytes.get()).sum();
    // Without master weights the weights themselves are read as well as written.
    let weights = if recipe.master > 0.0 { recipe.weights } else { 2.0 * recipe.weights };
    let bytes = (recipe.gradients + recipe.gradient_copy + 2.0 * recipe.master + weights) * parameters + 2.0 * moments;
    bytes / (cluster.gpu.bandwidth * cluster.memory_efficiency)
}
