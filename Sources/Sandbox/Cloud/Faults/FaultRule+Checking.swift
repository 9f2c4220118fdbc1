import WireFormats

/// The reason why a rule for errors on demand is not valid.
package enum FaultRuleError: Error, Sendable, Equatable {
    /// The rule neither fails, drops nor delays a call.
    case noEffect
    /// The rule both fails a call and drops its connection.
    case failureAndDrop
    /// The delay is negative or longer than an hour.
    case latency
    /// The maximum number of calls is less than 1.
    case times
    /// The probability is not more than 0 and at most 1.
    case probability
    /// The catalogue does not have the code, and the rule has no status for it.
    case unknownCode(String)
    /// The status is not from 400 to 599.
    case status
    /// OAuth restricts the characters of a code. (RFC 6749 section 5.2.)
    case malformedCode
    /// XML forbids control characters in a message. (XML 1.0 section 2.2.)
    case malformedMessage
}

extension FaultRule {
    /// Checks a rule before it is added.
    package func check() throws(FaultRuleError) {
        try failure?.check()
        guard (.zero ... .seconds(3600)).contains(latency) else { throw .latency }
        guard failure != nil || drop != nil || latency > .zero else { throw .noEffect }
        guard failure == nil || drop == nil else { throw .failureAndDrop }
        guard probability > 0, probability <= 1 else { throw .probability }
        guard times ?? 1 >= 1 else { throw .times }
    }
}

extension FaultRule.Failure {
    /// Checks the error that a call receives. Rejects unknown codes, so that a misspelled code does not go unnoticed.
    package func check() throws(FaultRuleError) {
        if let status, !(400...599).contains(status) { throw .status }
        guard status != nil || FaultCatalogue.contains(code) else { throw .unknownCode(code) }
        guard !code.isEmpty, code.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
            throw .malformedCode
        }
        guard message?.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A }) ?? true else { throw .malformedMessage }
    }
}
