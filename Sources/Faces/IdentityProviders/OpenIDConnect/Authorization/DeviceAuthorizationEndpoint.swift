import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The device authorization endpoint, which issues a device code and a user code (RFC 8628 section 3.1).
struct DeviceAuthorizationEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        ["device_authorization_endpoint": .string(visit.url(of: .deviceAuthorization))]
    }

    private static let form = DeviceGrant.Form(
        lifetime: 600, interval: 5, userCodeLength: 8, alphabet: DeviceGrant.Form.consonants, isHyphenated: true)

    func respond() async throws -> Response {
        try await visit.enter("DeviceAuthorization")
        let form = try await visit.postedFields(lists: visit.listParameters)
        let client = try await visit.client(of: form)
        visit.call.note(caller: client.id)
        let request = TokenRequest(visit: visit, form: form, client: client, keyThumbprint: nil)
        if let refusal = TokenGrant.deviceCode.refusal(request) { throw refusal }
        let granted = try request.granted(byDefault: [])
        let deviceCode = try OpaqueToken.unguessable()
        let userCode = try await visit.refusing(unknownClient: visit.unknownClient(in: form), unknownPerson: .revokedGrant) {
            try await DeviceGrant(visit: visit).begin(
                for: client, scopes: granted.scopes, as: Self.form, deviceCode: deviceCode,
                further: granted.audiences.isEmpty ? [:] : ["aud": .array(granted.audiences.map { .string($0) })])
        }
        let page = visit.url(of: .deviceVerification)
        var body: JSONObject = [
            "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
            "verification_uri_complete": .string("\(page)?user_code=\(userCode)"),
            "expires_in": .integer(Int64(Self.form.lifetime)), "interval": .integer(Self.form.interval),
        ]
        // MSAL applications show it to users.
        if visit.product == .entra {
            body["message"] = .string(
                "To sign in, use a web browser to open the page \(page) and enter the code \(userCode) to authenticate.")
        }
        return .json(.object(body), headers: .unstored)
    }
}
