//! Logs of engines: predicted against pasted.

use crate::answer::LogFigure;

pub const TITLE: &str = "What the engine logs, and what yours logged";
pub const PREDICTED: &str = "{0} would print, for exactly this question:";
pub const OF_OTHER: &str = "{0} prints no such lines. Under {1} it would be:";
pub const WOULD_STOP: &str = "It would stop there with an error: not one request of {0} tokens finds room.";
pub const PASTE_LOG: &str = "Paste the start-up log of an engine (it stays in this browser): {0}";
pub const UNKNOWN_LOG: &str = "No line of this text is one the ledger knows. It looks for these, anywhere in a line:";
pub const IMPOSSIBLE_LOG: &str = "This is a log of {0}, with which the question as it stands is impossible: {1}";
pub const CAPTION: &str = "Predicted against logged: {0}, one GPU";
pub const FIGURE_COLUMN: &str = "figure";
pub const PREDICTED_COLUMN: &str = "predicted";
pub const LOGGED_COLUMN: &str = "logged";
pub const DIFFERENCE_COLUMN: &str = "difference";
pub const TOOK_ENGINE: &str = "The log is of {0}, so this is predicted for {0}.";
pub const TOOK_CONTEXT: &str = "Its requests hold {0} tokens (asked: {1}), so that is predicted.";
pub const TOOK_SLOTS: &str = "It has {0} slots (asked: {1} at once), so that is predicted.";
pub const TOOK_DEVICES: &str =
    "It names {0} devices with weights (here: {1} for one copy of the model), so a split over those is predicted.";
pub const TOOK_FRACTION: &str = "Its memory fraction is {0} (here: {1}), so that is taken.";
pub const TAKE_THESE: &str = "Take these into the question";
pub const WHY_SAME: &str = "the same, to the last digit printed";
pub const WHY_CLOSE: &str = "within two percent";
pub const WHY_NOT_PREDICTED: &str = "the ledger does not predict this";
pub const WHY_WEIGHT_FORMAT: &str = "as large as in {0}: another format is served";
pub const WHY_RANKS: &str = "as large as over {0} tensor ranks: another split";
pub const WHY_MORE_LOADED: &str =
    "more is loaded than the language model: a vision tower, layers that predict further tokens, a drafting model";
pub const WHY_LESS_LOADED: &str = "less is loaded: a format the ledger has not, layers or experts elsewhere";
pub const WHY_CACHE_FORMAT: &str = "a token takes what it takes in {0}: another format of the cache";
pub const WHY_CELLS: &str = "{0} times the cells: another context, other slots, or windows kept whole";
pub const WHY_FOLLOWS: &str = "follows from “{0}”";
pub const WHY_PART: &str = "{1} by “{0}”";
pub const WHY_REST: &str = "{0} by what this log does not state: workspace and what lies outside the allocator";
pub const WHY_SEQUENCES: &str = "as large as with {0} sequences in a batch at most";
pub const WHY_WIDE_RANGE: &str = "the prediction is the middle of a wide range";
pub const WHY_OTHER_DEVICE: &str = "another card, or a driver that keeps another part of it";

/// What a line of a log states.
pub fn log_figure(figure: LogFigure) -> &'static str {
    match figure {
        LogFigure::Device => "memory of the GPU",
        LogFigure::Fraction => "memory fraction",
        LogFigure::Weights => "weights",
        LogFigure::HostWeights => "weights in host memory",
        LogFigure::Workspace => "workspace",
        LogFigure::Outside => "outside the allocator",
        LogFigure::Graphs => "captured graphs",
        LogFigure::Pool => "key-value cache",
        LogFigure::States => "recurrent states",
        LogFigure::Tokens => "tokens of cache",
        LogFigure::Blocks => "blocks of cache",
        LogFigure::Cells => "cells of cache",
        LogFigure::Context => "tokens a request holds",
        LogFigure::Slots => "slots",
        LogFigure::Requests => "requests at once",
    }
}
