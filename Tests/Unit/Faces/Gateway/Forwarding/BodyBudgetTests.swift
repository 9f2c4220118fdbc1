import GatewayFace
import Testing

@Suite("The memory of request bodies")
struct BodyBudgetTests {
    @Test("G29: one client cannot take the memory of all others")
    func shares() throws {
        let budget = BodyBudget(limit: 10, share: 6)
        var (first, second) = (0, 0)
        try budget.hold(4, for: "192.0.2.1", &first)
        try budget.hold(2, for: "192.0.2.1", &first)
        #expect(throws: BudgetExhausted.self) { try budget.hold(1, for: "192.0.2.1", &first) }
        try budget.hold(4, for: "192.0.2.2", &second)
        #expect(throws: BudgetExhausted.self) { try budget.hold(1, for: "192.0.2.2", &second) }
        #expect(first == 6)
        #expect(second == 4)
        #expect(budget.held == 10)
        budget.release(first, for: "192.0.2.1")
        try budget.hold(2, for: "192.0.2.2", &second)
        budget.release(second, for: "192.0.2.2")
        #expect(budget.held == 0)
        var third = 0
        try budget.hold(6, for: "192.0.2.2", &third)
        #expect(third == 6)
    }
}
