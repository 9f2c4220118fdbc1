import Foundation
import SQLite
import Testing

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Query plans")
struct QueryPlanTests {
    /// Every statement, by the name of its family.
    private static let families: [String: [String]] = [
        "BucketStatement": BucketStatement.allCases.map(\.rawValue), "ContentStatement": ContentStatement.allCases.map(\.rawValue),
        "UploadStatement": UploadStatement.allCases.map(\.rawValue), "ObjectStatement": ObjectStatement.allCases.map(\.text),
        "VersionStatement": VersionStatement.allCases.map(\.text),
        "WholeStoreStatement": WholeStoreStatement.allCases.map(\.rawValue), "ResetStatement": ResetStatement.allCases.map(\.rawValue),
        "CheckStatement": CheckStatement.allCases.map(\.rawValue), "AgeStatement": AgeStatement.allCases.map(\.rawValue),
        "InspectionStatement": InspectionStatement.allCases.map(\.rawValue),
        "DirectoryStatement": DirectoryStatement.allCases.map(\.rawValue), "GrantStatement": GrantStatement.allCases.map(\.rawValue),
        "MobileCloudStatement": MobileCloudStatement.allCases.map(\.rawValue),
        "MobileDeviceStatement": MobileDeviceStatement.allCases.map(\.rawValue),
        "MobileEventStatement": MobileEventStatement.allCases.map(\.rawValue),
        "MobileNotificationStatement": MobileNotificationStatement.allCases.map(\.rawValue),
        "MobileRowStatement": MobileRowStatement.allCases.map(\.rawValue),
        "RevocationStatement": RevocationStatement.allCases.map(\.rawValue), "SettingStatement": SettingStatement.allCases.map(\.rawValue),
    ]

    /// Statements that walk a whole table or index, and why they can.
    private static let walks: [String: String] = [
        WholeStoreStatement.buckets.rawValue: "The names of buckets are read once, when the sandbox opens.",
        WholeStoreStatement.bucketDocuments.rawValue: "The configurations of buckets are read once, when the sandbox opens.",
        WholeStoreStatement.objectCount.rawValue: "The control API counts the objects of the whole sandbox.",
        WholeStoreStatement.usedContents.rawValue: "A reset releases the contents of all bodies.",
        WholeStoreStatement.releaseContents.rawValue: "A reset releases the contents of all bodies.",
        DirectoryStatement.all.rawValue: "The directory is read once, when the sandbox opens.",
        AgeStatement.all.rawValue: "The clock is read once, when the sandbox opens.",
        RevocationStatement.all.rawValue: "The marks are read once, when the sandbox opens.",
        MobileNotificationStatement.last.rawValue: "The walk ends after the first row.",
        MobileNotificationStatement.all.rawValue: "A listing of the control API shows all notifications.",
        GrantStatement.deleteOfPeople.rawValue: "The names of the people are one parameter.",
        GrantStatement.leaveSessions.rawValue: "The identifiers of the clients are one parameter, and a session lists its participants.",
        MobileRowStatement.tables.rawValue: "A listing of the control API shows all tables.",
    ]

    @Test("find every row by an index, without sorting", arguments: families.values.flatMap(\.self))
    func searches(_ statement: String) async throws {
        let database = try Database()
        let plan = try database.read { connection in
            try connection.all("EXPLAIN QUERY PLAN " + statement) { $0.text(3) }
        }
        for step in plan {
            // An imported file is read whole, once.
            if InspectionStatement(rawValue: statement) != nil || CheckStatement(rawValue: statement) != nil { continue }
            let isWalkOfPartialIndex = step == "SCAN contents USING INDEX contents_unused"
            #expect(!step.contains("SCAN") || isWalkOfPartialIndex || Self.walks[statement] != nil, "\(plan)")
            #expect(!step.contains("TEMP B-TREE"), "\(plan)")
        }
        let isNamed = Self.walks[statement] != nil
        #expect(!isNamed || plan.contains { $0.contains("SCAN") }, "walks nothing any more: \(statement)")
        await database.close()
    }

    /// The source files that can have SQL.
    private static func sources() throws -> [(name: String, text: String)] {
        let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        return try ["ObjectStore", "Cloud"].flatMap { room in
            let folder = URL(filePath: "\(root)/Sources/Sandbox/\(room)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
            return try paths.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        }
    }

    @Test("are looked at of every family of statements")
    func everyFamily() throws {
        let found = try Self.sources().flatMap { _, text in
            text.matches(of: /enum (\w+Statement): \w+, CaseIterable/).map { String($0.1) }
        }
        #expect(Set(found) == Set(Self.families.keys))
    }

    /// The lines of a source file that begin a statement outside of an enumeration of statements.
    private static func strayStatements(in text: String) -> [String] {
        let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "REPLACE "]
        var (isInFamily, opensText) = (false, false)
        var strays: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("enum "), line.contains("Statement: "), line.contains("CaseIterable") { isInFamily = true }
            let start = line.drop { $0 == " " }
            let begins = verbs.contains { verb in line.contains("\"" + verb) || opensText && start.hasPrefix(verb) }
            if begins, !isInFamily { strays.append(String(line)) }
            if line == "}" { isInFamily = false }
            opensText = line.hasSuffix("\"\"\"")
        }
        return strays
    }

    @Test("are looked at of every statement, since none stands outside of a family")
    func everyStatement() throws {
        // Migrations run once for each file.
        for (name, text) in try Self.sources() where !name.hasSuffix("/CloudSchema.swift") {
            #expect(Self.strayStatements(in: text).isEmpty, "\(name) has a statement outside of an enumeration")
        }
        #expect(Self.strayStatements(in: "enum A {\n    static let all = \"DELETE FROM a\"\n}").count == 1)
        #expect(Self.strayStatements(in: "enum A {\n    static let all = \"\"\"\n        DELETE FROM a\n        \"\"\"\n}").count == 1)
        #expect(Self.strayStatements(in: "enum AStatement: String, CaseIterable {\n    case all = \"DELETE FROM a\"\n}").isEmpty)
    }
}
