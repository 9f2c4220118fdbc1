import WireFormats

extension WebIdentityVerifier {
    /// Returns every check that a relying party makes of an ID token.
    /// - Throws: an error of the database.
    package func checks(ofIDToken text: String, by party: RelyingParty) async throws -> [VerificationCheck<WebIdentityError>] {
        var run = RecordingRun<WebIdentityError>()
        do {
            let presented = try present(text, to: party, &run)
            let key = try await key(of: presented)
            switch party {
            case .account: _ = try identity(presented, key: key, &run)
            case .provider(let trust): _ = try verified(presented, of: trust, key: key, &run)
            case .application(let clientIDs):
                try checkSignatureAndTimes(of: presented, key: key, &run)
                try check(audienceOf: presented, in: clientIDs, &run)
            }
        } catch is WebIdentityError {}
        return run.checks
    }
}
