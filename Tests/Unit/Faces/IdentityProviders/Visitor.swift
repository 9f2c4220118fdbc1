import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import IdentityProviders
import NIOCore
import Seeds
import Synchronization
import Testing
import WireFormats

/// A browser or an application in the test's process, which keeps cookies and calls the face.
final class Visitor {
    static let origin = "http://localhost:4566"
    static let redirectURI = "http://localhost:8765/callback"

    let cloud: Cloud
    /// The prefix of paths: `/idp/`, or `/realms/` for clients that use a provider as a Keycloak realm.
    private let base: String
    private let applications: Applications
    /// The host of an issuer's canonical name that the visitor addresses, with whole paths; `nil` for this process.
    private let host: String?
    private(set) var cookies: [String: String]

    /// - Parameters:
    ///   - - applications: The applications that the providers can reach; by default none is reachable.
    ///   - - host: The host of an issuer's canonical name. Targets are then whole paths.
    ///   - - cookies: The cookies of another tab of the same browser.
    init(
        _ cloud: Cloud, base: String = "/idp/", applications: Applications = .unreachable, host: String? = nil,
        cookies: [String: String] = [:]
    ) {
        self.cookies = cookies
        self.host = host
        self.cloud = cloud
        self.applications = applications
        self.base = host == nil ? base : ""
    }

    /// A sandbox with the seed of the Personal File Store, or another included seed.
    static func sandbox(_ name: String = "personal-file-store") async throws -> Cloud {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let seed = try SeedFile(path: "/\(root)/seed/\(name).json5").decode()
        return try await Cloud.openForTest(seeds: [seed])
    }

    /// - Parameter target: A path below the base with its query, such as `company/token`.
    func send(
        _ method: HTTPRequest.Method, _ target: String, form: FormFields? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(method, target, body: form?.encoded, headers: headers)
    }

    /// - Parameter late: Returns the body of a request whose head the face has received. The browser sends cookies with the head.
    func send(
        _ method: HTTPRequest.Method, _ target: String, body: String?, headers: HTTPFields = [:],
        late: (@Sendable () async throws -> String)? = nil
    ) async throws -> Answer {
        var headers = headers
        if body != nil || late != nil, headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        let sent = late.map { RequestBody(arriving: LateContent($0)) } ?? RequestBody(buffer: ByteBuffer(string: body ?? ""))
        let call = Call(method, base + target, headers, body: sent, authority: host ?? "localhost:4566", cloud: cloud)
        let place = try place(of: target)
        let face = IdentityProviderFace(applications: applications)
        let response = await face.respond(to: call, provider: place.provider, path: place.path)
        for setting in response.headers[values: .setCookie] {
            let pair = setting.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = String(pair[1])
        }
        let content = try await response.collectedBody()
        return Answer(
            status: response.status.code, headers: response.headers, body: String(decoding: content, as: UTF8.self),
            entry: call.entry(status: response.status.code))
    }

    /// The provider that a target addresses, and the path that its face sees.
    private func place(of target: String) throws -> IssuerPlace {
        let whole = target.prefix { $0 != "?" }
        if let host {
            return try #require(cloud.directory.issuer(atHost: host, path: String(whole)), "no issuer has the path \(whole) at \(host)")
        }
        let provider = whole.prefix { $0 != "/" }
        return IssuerPlace(provider: String(provider), path: String(whole.dropFirst(provider.count)))
    }

    func get(_ target: String, _ query: FormFields = [:], headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.get, query.fields.isEmpty ? target : "\(target)?\(query.encoded)", headers: headers)
    }

    func post(_ target: String, _ form: FormFields, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.post, target, form: form, headers: headers)
    }

    /// Sends the page's form with one of its buttons.
    func press(_ button: String, _ value: String, on page: Answer, filling fields: FormFields = [:]) async throws -> Answer {
        var form = fields
        form.fields.append(.init(name: "form", value: page.formValue))
        form.fields.append(.init(name: button, value: value))
        return try await post(host == nil ? page.formAction : page.wholeFormAction, form)
    }

    /// Follows an authorization request to the response of the application. It logs the user in and consents if there is a page.
    func authorize(_ target: String, _ query: FormFields, as person: String = "alice") async throws -> Answer {
        var step = try await get(target, query)
        if step.isLogin { step = try await press("person", person, on: step) }
        if step.isConsent { step = try await press("action", "allow", on: step) }
        return step
    }
}

/// A body that is made when it is read.
private final class LateContent: ArrivingContent {
    private let make: Mutex<(@Sendable () async throws -> String)?>

    init(_ make: @escaping @Sendable () async throws -> String) { self.make = Mutex(make) }

    func next() async throws -> ByteBuffer? {
        guard let make = make.withLock({ $0.take() }) else { return nil }
        return ByteBuffer(string: try await make())
    }
}

struct Answer {
    var status: Int
    var headers: HTTPFields
    var body: String
    var entry: JournalEntry

    var isLogin: Bool { body.contains("name=\"username\"") }
    var isConsent: Bool { body.contains("value=\"allow\"") }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    var location: String { headers[.location] ?? "" }

    /// The parameters in the query or the fragment of the redirect.
    var redirected: FormFields {
        let start = location.firstIndex { $0 == "?" || $0 == "#" } ?? location.endIndex
        let text = location[start...].dropFirst().prefix { $0 != "#" }
        return FormFields(parsing: String(text)) ?? [:]
    }

    var formValue: String { between("name=\"form\" value=\"", "\"") }
    /// The path of the form's action below `/idp/`.
    var formAction: String { String(wholeFormAction.dropFirst("/idp/".count)) }
    var wholeFormAction: String { between("action=\"", "\"") }
    /// Returns the value of a hidden field of the page; empty if it has none.
    func hiddenField(_ name: String) -> String { between("name=\"\(name)\" value=\"", "\"") }

    private func between(_ start: String, _ end: Character) -> String {
        guard let range = body.firstRange(of: start) else { return "" }
        return String(body[range.upperBound...].prefix { $0 != end })
    }
}

extension Applications {
    /// Applications that cannot be reached.
    static let unreachable = Applications(fetch: { _ in throw NotReached() }, post: { _, _ in throw NotReached() })

    private struct NotReached: Error {}
}
