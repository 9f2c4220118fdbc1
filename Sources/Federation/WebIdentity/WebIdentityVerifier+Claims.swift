package import Cloud
package import WireFormats

extension WebIdentityVerifier {
    /// Returns the checks that `AssumeRoleWithWebIdentity` makes of the claims of an ID token: their presence and types, then the times.
    package static func checks(ofClaims claims: JSONObject, by clock: SandboxClock) -> [VerificationCheck<WebIdentityError>] {
        var run = RecordingRun<WebIdentityError>()
        do throws(WebIdentityError) {
            let read = try run.find("required claims") { () throws(WebIdentityError) in try TokenClaims(claims) }
            try run.check("times") { () throws(WebIdentityError) in try read.checkTimes(clock) }
        } catch { return run.checks }
        return run.checks
    }
}
