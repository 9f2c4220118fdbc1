import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// The device flow: `/login/device/code`. Apps must enable it. (GitHub Docs, "Authorizing OAuth apps", "Device flow".)
struct GitHubDevices {
    let visit: Visit

    private static let form = DeviceGrant.Form(
        lifetime: 900, interval: 5, userCodeLength: 8, alphabet: "0123456789ABCDEF", isHyphenated: true)

    /// The path of the page where users enter the code, on `github.com`.
    static let path = "/login/device"

    static let grantType = FurtherGrant.deviceCode.rawValue

    func begin() async throws -> Response {
        try await visit.enter("DeviceCode")
        let parameters = try await visit.gitHubParameters()
        guard let client = parameters.value("client_id").flatMap(visit.provider.client) else { throw GitHubError.notFound(at: .oauth) }
        guard client.mayUse(FurtherGrant.deviceCode) else { throw GitHubError.deviceFlowDisabled }
        let scopes = GitHubScope.normalized(parameters["scope"] ?? "")
        let deviceCode = try randomBytes(20).hex
        let userCode = try await DeviceGrant(visit: visit).begin(for: client, scopes: scopes, as: Self.form, deviceCode: deviceCode)
        let base = visit.basePath.isEmpty ? "https://github.com" : visit.baseURL
        return visit.gitHubFormat.response([
            "device_code": .string(deviceCode), "expires_in": .integer(Int64(Self.form.lifetime)),
            "interval": .integer(Self.form.interval), "user_code": .string(userCode), "verification_uri": .string(base + Self.path),
        ])
    }

    /// Returns the grant of the user's approval.
    func redeem(_ code: String, by client: Client) async throws -> Grant {
        do {
            return try await DeviceGrant(visit: visit).redeem(code, by: client.id)
        } catch let fault as DeviceGrant.Fault {
            switch fault {
            case .unknown: throw GitHubError.incorrectDeviceCode
            case .expired: throw GitHubError.expiredDeviceCode
            case .pending: throw GitHubError.authorizationPending
            case .slowDown: throw GitHubError.slowDown(interval: try interval(of: code))
            case .denied: throw GitHubError.deniedDevice
            }
        }
    }

    private func interval(of code: String) throws -> Int64 {
        let grant = try visit.cloud.grants.look(up: code, kind: .deviceCode, at: visit.provider.name)
        return grant?.details["interval"]?.integerValue ?? Self.form.interval
    }
}
