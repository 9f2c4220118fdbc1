import ControlDocuments
import Policy

extension EvaluationStage {
    /// The stage, its policies and how it ended.
    var document: Document<StageMembers> { Document { [$0.stage(name), $0.policies(policies), $0.outcome(outcome.rawValue)] } }
}
