//! The time of an optimiser step: products, what communication they do not hide, and the update.

use crate::communication::{Group, Planned, Traffic, Window};
use crate::report::Step;
use crate::resolve::{Cluster, Model, TrainingPlan};
use crate::scenario::Schedule;
use crate::training::{Parts, Stage, moments};
use crate::units::Seconds;

use super::flops::{self, HardwareFlops};

/// The stage that computes longest, which all others wait for.
#[must_use]
pub fn slowest_stage(model: &Model, plan: &TrainingPlan) -> Stage {
    let shape = &model.architecture;
    let first = Stage::new(plan, shape, 0);
    let hardware = flops::hardware(model, plan);
    let flops = |stage: &Stage| hardware.of_stage(stage, shape.layers as f64).total();
    Stage::all(plan, shape).fold(first, |most, stage| if flops(&stage) > flops(&most) { stage } else { most })
}

/// Settles what each line of traffic hides, and adds the step up. `parts` are those of `stage`, the slowest.
///
/// Optimistic on purpose: no stragglers, no input pipeline, no kernel launches; measured steps are longer, and the more
/// so the more GPUs take part.
#[must_use]
pub fn step(
    model: &Model,
    plan: &TrainingPlan,
    stage: &Stage,
    parts: &Parts,
    cluster: &Cluster,
    planned: Vec<Planned>,
) -> (Step, Vec<Traffic>) {
    let gpus = cluster.gpus as f64;
    let hardware = flops::hardware(model, plan);
    let peak = cluster.gpu.peak.rate(plan.recipe.compute);
    let rate = peak * plan.mfu_ceiling;
    let tokens = plan.step_tokens();
    let of_stage = hardware.of_stage(stage, model.architecture.layers as f64);
    // Every stage has its share of the GPUs and meets all tokens.
    let seconds_of = |per_token: f64| per_token * tokens / (gpus / plan.pipeline as f64 * rate);
    let micro_batches = plan.accumulation as f64;
    let windows = [of_stage.forward + of_stage.ends[0], of_stage.backward + of_stage.ends[1]]
        .map(|flops| seconds_of(flops) / micro_batches);

    let traffic = hide(planned, plan, windows, stage.layers.all());
    let compute = seconds_of(of_stage.total());
    // Micro-batches that fill and drain the pipeline wait for their collectives as any other does.
    let within = |line: &&Traffic| matches!(line.group, Group::Tensor | Group::Context);
    let waiting: f64 = traffic.iter().filter(within).map(|line| line.exposed_seconds.0).sum();
    let bubble = seconds_of(bubble_flops(plan, &of_stage)) / micro_batches * (1.0 + waiting / compute);
    let exposed: Seconds = traffic.iter().map(|line| line.exposed_seconds).sum();
    let optimizer = optimizer_seconds(plan, parts, cluster);
    let seconds = compute + exposed.0 + bubble + optimizer;
    let model_flops = flops::palm(model, plan.sequence as f64);
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
    };
    (step, traffic)
}

/// What a stage could compute while it waits for others, in FLOPs a token of one micro-batch: with F for forward, B for
/// backward and W for the part of it that makes weight gradients.
///
/// 1F1B and GPipe `(p-1)·(F+B)`, interleaved over v (Narayanan et al. 2021, arXiv 2104.04473, section 2.2); ZB1P
/// `(p-1)·(F+B-2W)`, ZB2P and ZBV `(p-1)·(F+B-3W)` (Qi et al. 2023, arXiv 2401.10241, table 1, whose B leaves W out);
/// DualPipe `(p/2-1)·(F&B+B-3W)` with F and B overlapped (DeepSeek-V3, arXiv 2412.19437, table 2).
fn bubble_flops(plan: &TrainingPlan, of_stage: &HardwareFlops) -> f64 {
    let others = (plan.pipeline - 1) as f64;
    let [forward, backward] = [of_stage.forward + of_stage.ends[0], of_stage.backward + of_stage.ends[1]];
    let weights = of_stage.weight_gradients + of_stage.ends[1] - of_stage.ends[0];
    match plan.schedule {
        Schedule::GPipe | Schedule::OneForwardOneBackward => others * (forward + backward),
        Schedule::Interleaved => others * (forward + backward) / plan.virtual_stages as f64,
        Schedule::Zb1p => others * (forward + backward - 2.0 * weights),
        Schedule::Zb2p | Schedule::Zbv => others * (forward + backward - 3.0 * weights),
        Schedule::DualPipe => (plan.pipeline as f64 / 2.0 - 1.0) * (forward + 2.0 * backward - 3.0 * weights),
    }
}

/// What computation hides of each line. The lines of one window share it; what one layer needs before it can start, or
/// sends after it is done, is never hidden: a layer's share of each line.
fn hide(planned: Vec<Planned>, plan: &TrainingPlan, windows: [f64; 2], layers: f64) -> Vec<Traffic> {
    let room_of = |window| match window {
        Window::None | Window::Steady(_) => 0.0,
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
