package import Calls
package import Federation
import WireFormats

extension MobileCloudFace {
    /// Returns every check that the platform's APIs make of one of its tokens.
    /// - Throws: an error of the database.
    package func checks(ofToken text: String, _ call: Call) async throws -> [ServiceCheck] {
        let mobile = try mobileCall(call)
        let tokens = MobileTokens(cloud: call.cloud)
        let verified = try await tokens.verified(text)
        var run = RecordingRun<MobileError>()
        do throws(MobileError) {
            _ = try mobile.caller(by: try tokens.check(verified, &run), &run)
        } catch {}
        return run.checks.map { ServiceCheck($0) { .init(code: $0.kind.code, message: $0.detail) } }
    }
}
