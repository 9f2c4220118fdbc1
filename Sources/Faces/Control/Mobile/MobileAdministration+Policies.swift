import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension MobileAdministration {
    /// The prefix of a policy's name in the exported file: it applies to all backends and all APIs.
    private static let scope = "*.*."

    /// `policies`: GET returns the environment policies as the properties file that the service exports, or as JSON if the client accepts
    /// only JSON. PUT sets the policies of a file in either format and keeps the others; DELETE restores the service's defaults.
    /// `policies/<name>` is a single policy.
    func answerPolicies() async throws -> Response {
        switch (path.count, method) {
        case (1, .get): break
        case (1, .put):
            let values = try policies(in: try await body())
            try await editEnvironment { environment in
                for (name, value) in values { environment.policies[name] = value }
            }
        case (1, .delete): try await editEnvironment { $0.policies = EnvironmentPolicies() }
        case (2, _): return try await answerPolicy(path[1])
        default: throw unknownPath
        }
        let all = mobile.environment.policies.all
        guard call.headers.value(of: .accept)?.contains("application/json") != true else {
            return .json(["policies": .object(JSONObject(all.map { ($0.name, .string($0.value)) }))])
        }
        let file = Properties(all.map { .init(name: Self.scope + $0.name, value: $0.value) })
        return Response(status: .ok, contentType: "text/plain; charset=utf-8", text: file.text)
    }

    private func policies(in text: [UInt8]) throws(ControlError) -> [(String, String?)] {
        if text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            guard let members = (try? JSONValue(parsing: text))?.objectValue else {
                throw ControlError(
                    .badRequest, "malformed_policies", "The body must be an object of names and values, or a properties file.")
            }
            let policies: JSONObject
            if let inner = members["policies"]?.objectValue {
                try members.expect(only: ["policies"])
                policies = inner
            } else {
                policies = members
            }
            guard !policies.names.contains("") else { throw ControlError(.badRequest, "malformed_policies", "A policy must have a name.") }
            return policies.members.map { ($0.name, Self.value($0.value)) }
        }
        let file: Properties
        do { file = try Properties(parsing: text) } catch {
            throw ControlError(.badRequest, "malformed_policies", "Expected in line \(error.line) \(error.expected).")
        }
        if let other = file.entries.first(where: { !$0.name.hasPrefix(Self.scope) || $0.name == Self.scope }) {
            throw ControlError(
                .badRequest, "malformed_policies", "'\(other.name)' is not an environment policy; their names begin with \(Self.scope)")
        }
        return file.entries.map { (String($0.name.dropFirst(Self.scope.count)), $0.value) }
    }

    /// Returns a policy's text: lists and objects become JSON on one line; null removes the policy.
    private static func value(_ value: JSONValue) -> String? { value == .null ? nil : value.stringValue ?? value.serialized() }

    private func answerPolicy(_ name: String) async throws -> Response {
        switch method {
        case .get: break
        case .put:
            let body = try await object()
            try body.expect(only: ["name", "value"])
            guard let value = body["value"], body["name"] == nil || body["name"] == .string(name) else {
                throw ControlError(.badRequest, "missing_member", "Say which: {\"value\":\"https://www.example.com\"}.")
            }
            try await editEnvironment { $0.policies[name] = Self.value(value) }
            return .json(["name": .string(name), "value": Self.value(value).map { .string($0) } ?? .null])
        case .delete:
            try await editEnvironment { environment in
                guard environment.policies[name] != nil else { throw Self.unknownPolicy(name) }
                environment.policies[name] = nil
            }
            return .json(["status": "ok"])
        default: throw unknownPath
        }
        guard let value = mobile.environment.policies[name] else { throw Self.unknownPolicy(name) }
        return .json(["name": .string(name), "value": .string(value)])
    }

    private static func unknownPolicy(_ name: String) -> ControlError {
        ControlError(.notFound, "unknown_policy", "The policy '\(name)' has no value.")
    }
}
