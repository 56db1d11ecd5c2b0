//! Entries with the phases of a step in which they are there, and the phase in which they are most.

use crate::answer::{Phase, PhaseBytes};
use crate::ledger::{Account, Accounts, Entry};
use crate::units::Bytes;

/// The phases in which an entry is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence(u8);

impl Presence {
    /// In every phase.
    pub const ALWAYS: Presence = Presence(0b1111);
    /// While the loss is computed.
    pub const LOSS: Presence = Presence(0b0001);
    /// At the start and at the end of backward.
    pub const BACKWARD: Presence = Presence(0b0110);
    /// At its end alone.
    pub const BACKWARD_END: Presence = Presence(0b0100);
    /// While the weights are updated.
    pub const OPTIMIZER: Presence = Presence(0b1000);
    /// Never: in host memory.
    pub const HOST: Presence = Presence(0b1_0000);
    /// From forward to the start of backward.
    pub const LOSS_AND_BACKWARD: Presence = Presence(0b0011);
    /// From forward to the end of backward.
    pub const PASSES: Presence = Presence(0b0111);
    /// From the end of backward on.
    pub const FROM_BACKWARD_END: Presence = Presence(0b1100);

    /// Whether `phase` is among them.
    #[must_use]
    pub fn includes(self, phase: Phase) -> bool {
        self.0 & (1 << phase as u8) != 0
    }
}

/// The entries of one GPU over the phases of a step.
#[derive(Clone, Debug, Default)]
pub struct PhasedEntries {
    entries: Vec<(Presence, Entry)>,
}

impl PhasedEntries {
    /// An empty list with room for a usual one.
    #[must_use]
    pub fn new() -> PhasedEntries {
        PhasedEntries { entries: Vec::with_capacity(32) }
    }

    /// Takes all entries out and keeps their room.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds an entry unless it is empty.
    pub fn push(&mut self, presence: Presence, entry: Entry) {
        if entry.bytes > Bytes::ZERO {
            self.entries.push((presence, entry));
        }
    }

    /// Adds those of the entries that are not empty.
    pub fn push_all<const N: usize>(&mut self, presence: Presence, entries: [Entry; N]) {
        for entry in entries {
            self.push(presence, entry);
        }
    }

    /// The entries in host memory.
    pub fn on_host(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|(presence, _)| *presence == Presence::HOST).map(|(_, entry)| entry)
    }

    /// What tensors hold in `phase`.
    #[must_use]
    pub fn bytes_in(&self, phase: Phase) -> Bytes {
        self.in_phase(phase).map(|entry| entry.bytes).sum()
    }

    /// What tensors hold in each phase.
    #[must_use]
    pub fn phases(&self) -> Vec<PhaseBytes> {
        let held = |phase| {
            let accounts = Accounts::of(self.in_phase(phase));
            PhaseBytes { phase, bytes: accounts.total(), accounts }
        };
        Phase::ALL.map(held).to_vec()
    }

    /// The phase in which tensors hold most, and how much; the earlier one where two are equal.
    #[must_use]
    pub fn peak(&self) -> (Phase, Bytes) {
        let [first, rest @ ..] = Phase::ALL.map(|phase| (phase, self.bytes_in(phase)));
        rest.into_iter().fold(first, |peak, phase| if phase.1 > peak.1 { phase } else { peak })
    }

    /// The entries that are there in `phase`.
    pub fn in_phase(&self, phase: Phase) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |(presence, _)| presence.includes(phase)).map(|(_, entry)| entry)
    }

    /// Every entry of the GPU, in whatever phase it is allocated.
    pub fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|(presence, _)| *presence != Presence::HOST).map(|(_, entry)| entry)
    }

    /// The sum over all entries of `account`, in whatever phase they are there.
    #[must_use]
    pub fn ever_in(&self, account: Account) -> Bytes {
        self.all().filter(|entry| entry.account == account).map(|entry| entry.bytes).sum()
    }
}
