extension EnvironmentPolicies {
    /// Seconds that a token of the relay lives where nothing says otherwise: the policy, which the service ships with six hours, and eight
    /// where it has been removed or is no number. (Using Oracle Mobile Cloud Service, "Authentication in MCS".)
    package var tokenExchangeTimeout: Int {
        guard let text = self["Security_TokenExchangeTimeoutSecs"], let seconds = Int(text), (1...Self.longestTimeout).contains(seconds)
        else { return 28_800 }
        return seconds
    }

    /// Ten years: no clock that adds so much leaves the calendar.
    private static let longestTimeout = 315_360_000
}
