import SQLite
import Testing

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Query plans")
struct QueryPlanTests {
    static let statements: [String] = objects + records

    private static var objects: [String] {
        BucketStatement.allCases.map(\.rawValue) + ContentStatement.allCases.map(\.rawValue) + UploadStatement.allCases.map(\.rawValue)
            + ObjectStatement.allCases.map(\.text) + VersionStatement.allCases.map(\.text)
    }

    private static let records = [
        GrantRecords.insert, GrantRecords.find, GrantRecords.delete, GrantRecords.deleteOfPerson,
        GrantRecords.deleteOfClient, GrantRecords.deleteFamily, GrantRecords.deleteOfSession, GrantRecords.findSession,
        GrantRecords.deleteSession,
        GrantRecords.deleteSomeExpired, DirectoryRecords.upsert, DirectoryRecords.delete, SettingRecords.upsert, SettingRecords.find,
        SettingRecords.delete, MobileDeviceRecords.put, MobileDeviceRecords.find, MobileDeviceRecords.delete,
        MobileDeviceRecords.ofBackend, MobileEventRecords.append, MobileEventRecords.forgetOldest, MobileEventRecords.newest,
        MobileRows.find, MobileRows.all, MobileRows.put, MobileRows.delete, MobileNotificationRecords.insert,
        MobileNotificationRecords.forgetOldest, MobileNotificationRecords.find, MobileNotificationRecords.delete,
    ]

    @Test("find every row by an index, without sorting", arguments: statements)
    func searches(_ statement: String) async throws {
        let database = try Database()
        let plan = try database.read { connection in
            try connection.all("EXPLAIN QUERY PLAN " + statement) { $0.text(3) }
        }
        for step in plan {
            let isWalkOfPartialIndex = step == "SCAN contents USING INDEX contents_unused"
            #expect(!step.contains("SCAN") || isWalkOfPartialIndex, "\(plan)")
            #expect(!step.contains("TEMP B-TREE"), "\(plan)")
        }
        await database.close()
    }
}
