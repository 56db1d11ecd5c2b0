//! A real log against what the ledger predicts: each figure, what it differs by, and why.

use crate::answer::LogFigure;
use crate::engines::log::Logged;
use crate::engines::{Budget, Storage};
use crate::inference::log::{Log, expected, log, read};
use crate::inference::{Cache, Footprint, footprint};
use crate::ledger::Account;
use crate::names::{CacheFormat, Engine, Name, WeightFormat};
use crate::plan::{Cluster, InferencePlan, Model, splits};
use crate::refusal::FieldError;
use crate::resolve::{Resolved, resolve};
use crate::scenario::{Number, Scenario};

use super::comparison::under_engine;

/// A log held against a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The engine that wrote it.
    pub engine: Engine,
    /// What the log says of the question itself; the predictions are for the question with these.
    pub adopted: Vec<Adopted>,
    /// The question with them.
    pub scenario: Scenario,
    /// The figures, in the order in which an engine prints them.
    pub rows: Vec<Row>,
}

/// Something of the question that was taken from the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Adopted {
    /// The engine.
    Engine(Engine),
    /// Tokens a request holds: the log's, and those asked for.
    Context([f64; 2]),
    /// Requests at once, which are slots in the log: the log's, and those asked for.
    Slots([f64; 2]),
    /// GPUs that share the model: as many as the log has devices with weights, and those of a replica here.
    Devices([f64; 2]),
    /// The share of memory: the log's, and the one that held.
    Fraction([f64; 2]),
}

/// A figure of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the log states.
    pub logged: Logged,
    /// What the ledger predicts, where it predicts it.
    pub predicted: Option<f64>,
    /// Why they differ, the most telling first; empty where no reason is known.
    pub reasons: Vec<Reason>,
}

/// Why a figure differs. Amounts are what the reason accounts for: logged less predicted, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// It does not, to the last digit printed.
    Same,
    /// It does by less than two in a hundred.
    Close,
    /// The ledger does not predict it.
    NotPredicted,
    /// The weights are as large as in this format.
    WeightFormat(WeightFormat),
    /// The weights are as large as they would be over this many tensor ranks.
    Ranks(u64),
    /// More is loaded than the language model: a vision tower, layers that predict further tokens, a drafting model.
    MoreLoaded,
    /// Less is loaded.
    LessLoaded,
    /// A token takes as much as in this format.
    CacheFormat(CacheFormat),
    /// The cache has this many times the cells that were asked for.
    Cells(f64),
    /// It follows from another figure of the log.
    Follows(LogFigure),
    /// Bytes of the difference that another figure of the log accounts for.
    Part(LogFigure, f64),
    /// Bytes that none does: the trial pass and what lies outside the allocator, where the log does not say.
    Rest(f64),
    /// The sampler is as large as it would be with this many sequences.
    Sequences(u64),
    /// The ledger's figure is the middle of a wide range.
    WideRange,
    /// Another card, or a driver that takes another part of it.
    OtherDevice,
}

/// Why there is nothing to compare.
#[derive(Clone, Debug, PartialEq)]
pub enum NoComparison {
    /// No line is known.
    NothingKnown,
    /// The question with what the log says is impossible.
    Impossible(FieldError),
}

/// Holds a log against the question.
///
/// # Errors
/// Where no line of the log is known, or the question has no answer with the engine and context of the log.
pub fn compare(scenario: &Scenario, text: &str) -> Result<Compared, NoComparison> {
    let log = read(text);
    let Some(engine) = log.engine.filter(|_| !log.figures.is_empty()) else {
        return Err(NoComparison::NothingKnown);
    };
    let (scenario, adopted) = adopt(scenario, &log, engine);
    let Resolved { model, cluster, inference, .. } = resolve(&scenario).map_err(NoComparison::Impossible)?;
    let plan = inference.map_err(NoComparison::Impossible)?;
    let sides = Sides { log: &log, model: &model, plan: &plan, cluster: &cluster, footprint: footprint(&model, &plan) };
    let rows = log.figures.iter().map(|logged| sides.row(logged)).collect();
    Ok(Compared { engine, adopted, scenario, rows })
}

/// The question as the log has it.
fn adopt(scenario: &Scenario, log: &Log, engine: Engine) -> (Scenario, Vec<Adopted>) {
    let mut adopted = Vec::new();
    let given = scenario.inference.as_ref().and_then(|half| half.engine).unwrap_or_default();
    let mut scenario = if given == engine { scenario.clone() } else { under_engine(scenario, engine).scenario };
    if given != engine {
        adopted.push(Adopted::Engine(engine));
    }
    // The fullest device of a log is held against the fullest stage, so there have to be as many of them.
    let here = resolve(&scenario).ok().and_then(|settled| settled.inference.ok());
    let here = here.map_or(0, |plan| plan.tensor * plan.pipeline);
    // A single one may stand for all of them, as in what is predicted.
    if log.devices > 1 && log.devices as u64 != here {
        let mut split = scenario.clone();
        split.cluster_mut().gpus = Some(Number(log.devices as f64));
        split.inference_mut().tensor = None;
        split.inference_mut().pipeline = None;
        let plan = resolve(&split).ok().and_then(|settled| settled.inference.ok());
        if plan.is_some_and(|plan| plan.tensor * plan.pipeline == log.devices as u64) {
            adopted.push(Adopted::Devices([log.devices as f64, here as f64]));
            scenario = split;
        }
    }
    let settled = resolve(&scenario).ok();
    let plan = settled.as_ref().and_then(|settled| settled.inference.as_ref().ok());
    let context = plan.map_or(0.0, |plan| plan.context as f64);
    if let Some(logged) = log.value(LogFigure::Context).filter(|logged| *logged != context && *logged >= 1.0) {
        scenario.inference_mut().context = Some(Number(logged));
        adopted.push(Adopted::Context([logged, context]));
    }
    let requests = plan.map_or(0.0, |plan| plan.concurrency as f64);
    if let Some(logged) = log.value(LogFigure::Slots).filter(|logged| *logged != requests && *logged >= 1.0) {
        scenario.inference_mut().concurrency = Some(Number(logged));
        adopted.push(Adopted::Slots([logged, requests]));
    }
    let fraction =
        settled.as_ref().zip(plan).map(|(settled, plan)| footprint(&settled.model, plan).budget(&settled.cluster).1);
    let logged = log.value(LogFigure::Fraction).filter(|logged| (0.001..=1.0).contains(logged));
    if let (Some(logged), Some(fraction)) = (logged, fraction)
        && (logged - fraction).abs() > 0.001
    {
        scenario.inference_mut().memory_fraction = Some(Number(logged));
        adopted.push(Adopted::Fraction([logged, fraction]));
    }
    (scenario, adopted)
}

/// Two figures this near to each other are taken for the same thing.
const NEAR: f64 = 0.01;

/// Both sides of the comparison.
struct Sides<'a> {
    log: &'a Log,
    model: &'a Model,
    plan: &'a InferencePlan,
    cluster: &'a Cluster,
    footprint: Footprint<'a>,
}

impl Sides<'_> {
    fn predicted(&self, figure: LogFigure) -> Option<f64> {
        let (context, requests) = (self.plan.context as f64, self.plan.requests() as f64);
        let accounts = self.footprint.accounts(&self.footprint.entries(context, requests));
        expected(figure, &self.footprint, self.plan, self.cluster, &accounts)
    }

    fn row(&self, logged: &Logged) -> Row {
        let predicted = self.predicted(logged.figure);
        let reasons = match predicted {
            None => vec![Reason::NotPredicted],
            // Half of the last digit is what rounding leaves; a little more is for digits of the sum.
            Some(predicted) if (predicted - logged.value).abs() <= 0.5001 * logged.step => vec![Reason::Same],
            Some(predicted) => self.reasons(logged, predicted),
        };
        Row { logged: logged.clone(), predicted, reasons }
    }

    fn reasons(&self, logged: &Logged, predicted: f64) -> Vec<Reason> {
        let near = |value: f64| (value / logged.value - 1.0).abs() <= NEAR;
        let close = (predicted / logged.value - 1.0).abs() <= 2.0 * NEAR;
        match logged.figure {
            LogFigure::Device => vec![if close { Reason::Close } else { Reason::OtherDevice }],
            LogFigure::Weights if near(predicted) => vec![Reason::Close],
            LogFigure::Weights => vec![self.weights(logged.value, predicted)],
            LogFigure::Pool if self.plan.engine.traits().storage == Storage::Slots => {
                vec![self.cells(logged.value, predicted)]
            }
            LogFigure::Pool => self.pool(logged.value, predicted),
            LogFigure::Tokens | LogFigure::Blocks => vec![self.tokens(logged, predicted)],
            LogFigure::Requests => {
                let tokens = self.log.value(LogFigure::Tokens);
                let blocks = self.log.value(LogFigure::Blocks).map(|blocks| blocks * self.plan.block as f64);
                let by_tokens = tokens.or(blocks).map(|tokens| tokens / self.plan.context as f64);
                match by_tokens {
                    Some(most) if near(most) => vec![Reason::Follows(LogFigure::Tokens)],
                    _ if close => vec![Reason::Close],
                    _ => vec![Reason::Follows(LogFigure::Pool)],
                }
            }
            LogFigure::Cells => vec![Reason::Cells(logged.value / predicted)],
            LogFigure::Workspace => vec![self.workspace(logged.value, close)],
            LogFigure::Outside | LogFigure::Graphs => vec![Reason::WideRange],
            _ if close => vec![Reason::Close],
            _ => Vec::new(),
        }
    }

    /// Another format or another split that gives the logged weights; else more or less than the language model.
    fn weights(&self, logged: f64, predicted: f64) -> Reason {
        let distance = |bytes: f64| (bytes / logged - 1.0).abs();
        let nearest = |best: Option<(f64, Reason)>, (bytes, reason): (f64, Reason)| match best {
            Some((least, _)) if least <= distance(bytes) => best,
            _ => Some((distance(bytes), reason)),
        };
        let with = |plan: InferencePlan| footprint(self.model, &plan).weight_bytes().get();
        let formats =
            WeightFormat::ALL.iter().filter(|format| **format != self.plan.weights && self.plan.engine.loads(**format));
        let formats = formats
            .map(|format| (with(self.plan.with(|settings| settings.weights = *format)), Reason::WeightFormat(*format)));
        let ranks = [1, 2, 4, 8, 16].into_iter().filter(|ranks| *ranks != self.plan.tensor);
        let ranks = ranks.filter(|ranks| splits(&self.model.architecture, *ranks));
        let splits =
            ranks.map(|tensor| (with(self.plan.with(|settings| settings.tensor = tensor)), Reason::Ranks(tensor)));
        match splits.chain(formats).fold(None, nearest) {
            Some((distance, reason)) if distance <= NEAR => reason,
            _ if logged > predicted => Reason::MoreLoaded,
            _ => Reason::LessLoaded,
        }
    }

    /// What each other figure of the log takes from the pool or adds to it.
    fn pool(&self, logged: f64, predicted: f64) -> Vec<Reason> {
        let (budget, fraction) = self.footprint.budget(self.cluster);
        let part = |figure: LogFigure, factor: f64| {
            let difference = self.log.value(figure)? - self.predicted(figure)?;
            Some(Reason::Part(figure, factor * difference)).filter(|_| difference != 0.0)
        };
        // Every budget is a fraction of something, some of what the others leave.
        let others = match budget {
            Budget::Rest | Budget::Loaded => -fraction,
            Budget::Free | Budget::Device | Budget::Static => -1.0,
        };
        let mut parts: Vec<Reason> = [
            part(LogFigure::Device, fraction),
            part(LogFigure::Weights, others),
            part(LogFigure::Workspace, others),
            part(LogFigure::Outside, others),
        ]
        .into_iter()
        .flatten()
        // Some budgets leave passes to the rest of the device, a static one what is outside the allocator too.
        .filter(|part| match (budget, part) {
            (Budget::Static, Reason::Part(figure, _)) => !matches!(figure, LogFigure::Workspace | LogFigure::Outside),
            (Budget::Loaded, Reason::Part(figure, _)) => *figure != LogFigure::Workspace,
            _ => true,
        })
        .collect();
        let size = |part: &Reason| if let Reason::Part(_, bytes) = part { *bytes } else { 0.0 };
        let explained: f64 = parts.iter().map(size).sum();
        let rest = logged - predicted - explained;
        parts.retain(|part| size(part).abs() > NEAR * logged);
        parts.sort_by(|a, b| size(b).abs().total_cmp(&size(a).abs()));
        if rest.abs() > NEAR * logged {
            parts.push(Reason::Rest(rest));
        }
        if parts.is_empty() { vec![Reason::Close] } else { parts }
    }

    /// Tokens follow from the pool where a token takes as much as predicted; else the cache has another format.
    fn tokens(&self, logged: &Logged, predicted: f64) -> Reason {
        let block = if logged.figure == LogFigure::Blocks { self.plan.block as f64 } else { 1.0 };
        let (Some(pool), Some(expected)) = (self.log.value(LogFigure::Pool), self.predicted(LogFigure::Pool)) else {
            return Reason::Follows(LogFigure::Pool);
        };
        let each = pool / (logged.value * block);
        let expected_each = expected / (predicted * block);
        if (each / expected_each - 1.0).abs() <= 2.0 * NEAR {
            return Reason::Follows(LogFigure::Pool);
        }
        self.cache_format(each / expected_each).map_or(Reason::Follows(LogFigure::Pool), Reason::CacheFormat)
    }

    /// Where slots have cells: another format of the cache, or other cells.
    fn cells(&self, logged: f64, predicted: f64) -> Reason {
        let cells = self.log.value(LogFigure::Cells);
        let expected_cells = self.predicted(LogFigure::Cells);
        let times = cells.zip(expected_cells).map(|(cells, expected)| cells / expected);
        let ratio = logged / predicted;
        match self.cache_format(ratio / times.unwrap_or(1.0)) {
            _ if times.is_some_and(|times| (ratio / times - 1.0).abs() <= NEAR) => Reason::Cells(ratio),
            Some(format) => Reason::CacheFormat(format),
            None => Reason::Cells(ratio),
        }
    }

    /// The format in which a token takes `ratio` times what it takes now.
    fn cache_format(&self, ratio: f64) -> Option<CacheFormat> {
        let shape = &self.model.architecture;
        let now = self.footprint.cache.per_token();
        CacheFormat::ALL.iter().copied().filter(|format| *format != self.plan.kv).find(|format| {
            let plan = self.plan.with(|settings| settings.kv = *format);
            let each = Cache::new(shape, &plan).per_token();
            (each / now / ratio - 1.0).abs() <= NEAR
        })
    }

    fn workspace(&self, logged: f64, close: bool) -> Reason {
        if close {
            return Reason::Close;
        }
        let (context, requests) = (self.plan.context as f64, self.plan.requests() as f64);
        let with = |sequences: u64| {
            let plan = self.plan.with(|settings| settings.max_sequences = sequences);
            let footprint = footprint(self.model, &plan);
            footprint.accounts(&footprint.entries(context, requests))[Account::Workspace].get()
        };
        let usual = [64, 128, 256, 512, 1024].into_iter().filter(|count| *count != self.plan.max_sequences);
        let by_sampler = self.plan.engine.traits().sampler_bytes > 0.0;
        let found = usual.filter(|_| by_sampler).find(|count| (with(*count) / logged - 1.0).abs() <= 0.05);
        found.map_or(Reason::WideRange, Reason::Sequences)
    }
}

/// What the engine of a scenario would log; nothing for those that print no such lines, or where nothing can be served.
#[must_use]
pub fn lines_of(scenario: &Scenario) -> Vec<String> {
    let Ok(Resolved { model, cluster, inference: Ok(plan), .. }) = resolve(scenario) else { return Vec::new() };
    let footprint = footprint(&model, &plan);
    let accounts = footprint.accounts(&footprint.entries(plan.context as f64, plan.requests() as f64));
    log(&footprint, &plan, &cluster, &accounts)
}
