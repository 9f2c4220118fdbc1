/// What a service decides about a signed call by rules of its own, to which no policy applies.
package enum CallRuling: Sendable, Equatable {
    /// Every caller with credentials may make the call.
    case allowed
    /// The service refuses the call.
    case refused(ServiceCheck.Refusal)
}
