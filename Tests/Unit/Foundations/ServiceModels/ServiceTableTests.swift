import Testing
import WireFormats

@testable import ServiceModels

@Suite("The table of services")
struct ServiceTableTests {
    private let table = ServiceTable.builtIn

    @Test("G10: has fifteen services, by their prefixes in policies")
    func services() {
        let names = table.all.map(\.name).sorted()
        #expect(
            names == [
                "apigateway", "cloudwatch", "dynamodb", "ecr", "events", "firehose", "kinesis", "kms", "lambda", "logs", "secretsmanager",
                "sns",
                "sqs", "ssm", "states",
            ])
        #expect(table.service(signing: "monitoring")?.name == "cloudwatch")
        #expect(table.service(signing: "cloudwatch") == nil)
        #expect(table.service(prefix: "cloudwatch")?.signingName == "monitoring")
    }

    @Test("G10: every operation has a rule or is refused by name", arguments: ServiceTable.builtIn.all.map(\.name))
    func rules(_ name: String) throws {
        let service = try #require(table.service(prefix: name))
        #expect(!service.operations.isEmpty)
        #expect(!service.protocols.isEmpty)
        guard !service.decidesByPath else { return }
        let unmapped = Set(service.operations.values.filter { $0.rule == nil }.map(\.name))
        #expect(unmapped.count == Self.unmapped[name] ?? 0, "\(unmapped.sorted())")
    }

    /// How many operations of a service are refused, because AWS's reference does not have them or only the service knows their resource.
    private static let unmapped = [
        "cloudwatch": 17, "dynamodb": 5, "ecr": 4, "kinesis": 18, "kms": 3, "lambda": 9, "logs": 6, "secretsmanager": 3, "ssm": 10,
    ]

    @Test("G10: every rule names types of its service", arguments: ServiceTable.builtIn.all.map(\.name))
    func types(_ name: String) throws {
        let service = try #require(table.service(prefix: name))
        for operation in service.operations.values {
            for case .permission(_, _, let choices, _) in operation.rule?.parts ?? [] {
                for case .typed(let type, let paths) in choices.joined() {
                    let resource = try #require(service.types[type], "\(operation.name) names \(type)")
                    let placeholders = resource.pieces.count(where: { piece in
                        if case .placeholder = piece { true } else { false }
                    })
                    // The placeholder of a resource with tags takes two values.
                    #expect(placeholders == paths.count || type == "tagged", "\(operation.name): \(type)")
                }
            }
        }
    }

    @Test("ignores lines that it does not know")
    func strangeLines() throws {
        let table = ServiceTable(
            parsing: """
                # remark
                Orphan *
                @
                @x
                @y signing=why protocols=json1.0,odd target=Y
                =t y:r:a:{odd}
                Do t(A)
                Bad t(
                """)
        #expect(table.signingNames == ["why"])
        let service = try #require(table.service(signing: "why"))
        #expect(service.protocols == [.json10])
        #expect(service.operations["Do"]?.rule != nil)
        let bad = try #require(service.operations["Bad"])
        #expect(bad.rule == nil)
    }
}
