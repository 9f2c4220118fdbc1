import CServiceTable
import WireFormats

/// The AWS services whose calls can be decided: their operations, and what each needs.
///
/// `Sources/Foundations/CServiceTable/refresh.py` writes the table, which is part of the executable. Its lines are:
///
/// - `@NAME KEY=VALUE…`: a service, by its prefix in policies, for the lines up to the next one; see ``ServiceModel``.
/// - `=TYPE ARN`: a type of resource; see ``ResourceType``.
/// - `OPERATION [METHOD PATH] RULE… [%]`: an operation, for REST with its method and path; see ``OperationRule``. With `%`, the body is not a
///   document.
/// - `# …`: a remark.
package struct ServiceTable: Sendable {
    /// The services by their names in credential scopes.
    private let services: TextDictionary<ServiceModel>

    /// The names of the services in credential scopes.
    package var signingNames: [String] { services.keys }

    /// The services, in no particular order.
    package var all: [ServiceModel] { Array(services.values) }

    /// Returns the service with a name in credential scopes.
    package func service(signing name: String) -> ServiceModel? { services[name] }

    /// Returns the service with a prefix in policies, such as `cloudwatch`.
    package func service(prefix: String) -> ServiceModel? { services.values.first { $0.name == prefix } }

    /// The table in the executable, which is parsed when it is first needed.
    package static let builtIn = ServiceTable(parsing: text)

    /// The text of the table in the executable.
    static var text: String {
        String(decoding: UnsafeBufferPointer(start: cservice_table_bytes(), count: cservice_table_count()), as: UTF8.self)
    }

    /// Parses a table. Lines that do not follow the format are ignored.
    package init(parsing text: String) {
        var services = TextDictionary<ServiceModel>()
        var current: ServiceModel?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map { String($0) }
            guard let first = words.first, first != "#" else { continue }
            if first.hasPrefix("@") {
                if let service = current { services[service.signingName] = service }
                current = ServiceModel(header: words)
            } else if first.hasPrefix("=") {
                guard words.count == 2 else { continue }
                current?.types[String(first.dropFirst())] = ResourceType(words[1])
            } else {
                current?.append(operation: words)
            }
        }
        if let service = current { services[service.signingName] = service }
        self.services = services
    }
}
