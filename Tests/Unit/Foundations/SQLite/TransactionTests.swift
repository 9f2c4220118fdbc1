import SQLite
import Testing

@Suite("A transaction")
struct TransactionTests {
    struct Stop: Error {}
    let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:")
        try connection.execute("CREATE TABLE things(id INTEGER PRIMARY KEY) STRICT")
    }

    private func insert(_ id: Int64) throws { try connection.run("INSERT INTO things VALUES (?1)", .integer(id)) }
    private var ids: [Int64] { get throws { try connection.all("SELECT id FROM things ORDER BY id") { $0.integer(0) } } }

    @Test("commits everything when its body returns")
    func commits() throws {
        let value = try connection.transaction {
            try insert(1)
            try insert(2)
            return 7
        }
        #expect(value == 7)
        #expect(try ids == [1, 2])
        #expect(!connection.isInTransaction)
    }

    @Test("reverts everything when its body throws")
    func rollsBack() throws {
        #expect(throws: Stop.self) {
            try connection.transaction {
                try insert(1)
                throw Stop()
            }
        }
        #expect(try ids == [])
        #expect(!connection.isInTransaction)
    }

    @Test("keeps the writes around a savepoint that failed")
    func savepoints() throws {
        try connection.transaction {
            try insert(1)
            #expect(throws: Stop.self) { try insertInFailingSavepoint(2) }
            try insert(3)
            try insertInSavepoint(4)
        }
        #expect(try ids == [1, 3, 4])
    }

    private func insertInSavepoint(_ id: Int64) throws { try connection.savepoint { try insert(id) } }

    private func insertInFailingSavepoint(_ id: Int64) throws {
        try connection.savepoint {
            try insert(id)
            throw Stop()
        }
    }

    @Test("for reading returns values and ends")
    func reading() throws {
        try insert(1)
        #expect(try connection.readTransaction { try ids } == [1])
        #expect(!connection.isInTransaction)
    }
}
