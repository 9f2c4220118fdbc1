import Testing
import WireFormats

@testable import ServiceModels

/// A call of a service, and what it needs.
struct Needs: Sendable, CustomTestStringConvertible {
    let service: String
    let operation: String
    let input: CallInput
    let expected: [RequiredPermission]

    init(_ service: String, _ operation: String, _ document: JSONValue, _ expected: RequiredPermission...) {
        self.init(service, operation, CallInput(document: document), expected)
    }

    init(_ service: String, _ operation: String, labels: TextDictionary<String>, _ expected: RequiredPermission...) {
        self.init(service, operation, CallInput(labels: labels), expected)
    }

    init(_ service: String, _ operation: String, form: FormFields, _ expected: RequiredPermission...) {
        self.init(service, operation, CallInput(form: form), expected)
    }

    private init(_ service: String, _ operation: String, _ input: CallInput, _ expected: [RequiredPermission]) {
        self.service = service
        self.operation = operation
        self.input = input
        self.expected = expected
    }

    var testDescription: String { "\(service):\(operation) \(expected.map(\.action))" }

    /// The account and the region of all calls.
    static let scope = CallScope(region: "eu-west-1", account: "111122223333")

    /// Returns the permissions that the call needs.
    func permissions() throws -> [RequiredPermission] {
        let model = try #require(ServiceTable.builtIn.service(prefix: service))
        let called = try #require(model.operations[operation])
        return try model.permissions(for: called, input, in: Self.scope)
    }

    func check() throws {
        let found = try permissions()
        #expect(found == expected)
    }
}

/// Returns a permission for a resource of the account and the region of all calls.
/// - Parameter rest: the ARN without partition, region and account, such as `sqs:orders`.
func need(_ action: String, _ rest: String) -> RequiredPermission {
    let parts = rest.split(separator: ":", maxSplits: 1)
    return RequiredPermission(action, on: .known("arn:aws:\(parts[0]):eu-west-1:111122223333:\(parts[1])"))
}
