import WireFormats

/// The unsaved state of the policy simulator.
struct Simulation: KeptInMemory {
    let id: String
    let generation: Int64
    let created: Timestamp
}
