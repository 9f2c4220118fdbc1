import Cloud
import ObjectServing
import Policy
import Testing
import WireFormats

import struct Policy.Tag

@testable import S3Face

@Suite("The evaluation of lifecycle rules")
struct LifecyclePlanTests {
    typealias Rules = LifecycleConfigurationTests

    static func plan(_ rules: String, at now: String, shift: Int64 = 0) throws -> LifecyclePlan {
        LifecyclePlan(
            try Rules.read(rules), calendar: .days, dateShift: shift, now: try #require(Timestamp(iso8601: now)))
    }

    static func facts(
        _ since: String, key: String = "a", size: Int64 = 1 << 20, tags: [Tag] = [], storageClass: StorageClass = .standard,
        newer: Int64 = 0
    ) throws -> LifecyclePlan.Facts {
        LifecyclePlan.Facts(
            key: key, size: size, storageClass: storageClass, tags: tags, since: try #require(Timestamp(iso8601: since)),
            newerVersions: newer)
    }

    /// The examples of the S3 User Guide ("Lifecycle rules: based on an object's age").
    @Test("rounds days up to the next midnight")
    func days() {
        func due(_ days: Int64, _ start: String) -> String? {
            Timestamp(iso8601: start).map { LifecycleCalendar.days.moment(days, after: $0).iso8601 }
        }
        #expect(due(3, "2014-01-15T10:30:00Z") == "2014-01-19T00:00:00Z")
        #expect(due(5, "2014-01-02T11:30:00Z") == "2014-01-08T00:00:00Z")
        #expect(due(1, "2014-01-02T00:05:00Z") == "2014-01-04T00:00:00Z")
    }

    @Test("counts shortened days from the start")
    func shortDays() {
        let calendar = LifecycleCalendar(secondsPerDay: 10)
        #expect(calendar.moment(3, after: Timestamp(milliseconds: 500)) == Timestamp(milliseconds: 30_500))
        #expect(calendar.interval == .seconds(2))
    }

    @Test("expires an object at its time, not before")
    func expiration() throws {
        let rules = Rules.rule("<Expiration><Days>3</Days></Expiration>", filter: "<Filter><Prefix>logs/</Prefix></Filter>")
        let object = try Self.facts("2026-01-15T10:30:00Z", key: "logs/a")
        #expect(try Self.plan(rules, at: "2026-01-18T23:59:59Z").action(onCurrent: object) == nil)
        #expect(try Self.plan(rules, at: "2026-01-19T00:00:00Z").action(onCurrent: object) == .expire)
        let other = try Self.facts("2026-01-15T10:30:00Z", key: "log")
        #expect(try Self.plan(rules, at: "2036-01-19T00:00:00Z").action(onCurrent: other) == nil)
    }

    @Test("ignores an object whose tag is only canonically equivalent")
    func equivalentTag() throws {
        let rules = Rules.rule(Rules.days, filter: "<Filter><Tag><Key>class</Key><Value>K</Value></Tag></Filter>")
        let plan = try Self.plan(rules, at: "2036-01-01T00:00:00Z")
        #expect(try plan.action(onCurrent: Self.facts("2026-01-01T00:00:00Z", tags: [Tag(key: "class", value: "K")])) == .expire)
        #expect(try plan.action(onCurrent: Self.facts("2026-01-01T00:00:00Z", tags: [Tag(key: "class", value: "\u{212A}")])) == nil)
    }

    @Test("ignores a disabled rule")
    func disabled() throws {
        let plan = try Self.plan(Rules.rule(Rules.days, status: "Disabled"), at: "2036-01-01T00:00:00Z")
        #expect(try plan.action(onCurrent: Self.facts("2026-01-01T00:00:00Z")) == nil)
    }

    @Test("requires all tags of a filter, and sizes strictly between the limits")
    func filters() throws {
        let tagged = Rules.rule(
            Rules.days,
            filter: "<Filter><And><Tag><Key>a</Key><Value>1</Value></Tag><Tag><Key>b</Key><Value>2</Value></Tag></And></Filter>")
        let plan = try Self.plan(tagged, at: "2036-01-01T00:00:00Z")
        let (a, b) = (Tag(key: "a", value: "1"), Tag(key: "b", value: "2"))
        #expect(plan.asksForTags(of: "x", size: 0))
        #expect(try plan.action(onCurrent: Self.facts("2026-01-01T00:00:00Z", tags: [a])) == nil)
        #expect(try plan.action(onCurrent: Self.facts("2026-01-01T00:00:00Z", tags: [b, Tag(key: "c", value: ""), a])) == .expire)
        let sized = Rules.rule(
            Rules.days,
            filter:
                "<Filter><And><ObjectSizeGreaterThan>10</ObjectSizeGreaterThan><ObjectSizeLessThan>20</ObjectSizeLessThan></And></Filter>"
        )
        for (size, goes) in [(10, false), (11, true), (19, true), (20, false)] as [(Int64, Bool)] {
            let action = try Self.plan(sized, at: "2036-01-01T00:00:00Z").action(
                onCurrent: Self.facts("2026-01-01T00:00:00Z", size: size))
            #expect((action == .expire) == goes, "\(size)")
        }
    }

    @Test("selects the coldest storage class that is due, never a warmer one, and does not move small objects")
    func transitions() throws {
        let rules = Rules.rule(
            "<Transition><Days>30</Days><StorageClass>STANDARD_IA</StorageClass></Transition><Transition><Days>60</Days><StorageClass>GLACIER</StorageClass></Transition>"
        )
        let since = "2026-01-01T00:00:00Z"
        let plan = try Self.plan(rules, at: "2026-02-10T00:00:00Z")
        #expect(try plan.action(onCurrent: Self.facts(since)) == .transition(.standardInfrequentAccess))
        #expect(try plan.action(onCurrent: Self.facts(since, storageClass: .deepArchive)) == nil)
        #expect(try plan.action(onCurrent: Self.facts(since, size: 1000)) == nil)
        let later = try Self.plan(rules, at: "2026-04-10T00:00:00Z")
        #expect(try later.action(onCurrent: Self.facts(since, storageClass: .standardInfrequentAccess)) == .transition(.glacier))
        let sized = Rules.rule(
            "<Transition><Days>0</Days><StorageClass>GLACIER_IR</StorageClass></Transition>",
            filter: "<Filter><ObjectSizeGreaterThan>10</ObjectSizeGreaterThan></Filter>")
        #expect(
            try Self.plan(sized, at: "2026-02-10T00:00:00Z").action(onCurrent: Self.facts(since, size: 1000))
                == .transition(.glacierInstantRetrieval))
    }

    @Test("retains the configured number of newer noncurrent versions")
    func noncurrent() throws {
        let rules = Rules.rule(
            "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration>"
        )
        let plan = try Self.plan(rules, at: "2026-02-10T00:00:00Z")
        for (newer, action) in [(0, nil), (1, nil), (2, .expire)] as [(Int64, LifecyclePlan.Action?)] {
            #expect(try plan.action(onNoncurrent: Self.facts("2026-01-01T00:00:00Z", newer: newer)) == action)
        }
        #expect(try plan.action(onNoncurrent: Self.facts("2026-02-09T12:00:00Z", newer: 9)) == nil)
    }

    @Test("returns the earliest expiry")
    func expiry() throws {
        let plan = try Self.plan(
            Rules.rule("<Expiration><Days>9</Days></Expiration>", id: "long") + Rules.rule(Rules.days, id: "short")
                + Rules.rule("<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>", id: "marker"),
            at: "2026-01-01T00:00:00Z")
        let expiry = try plan.expiry(of: Self.facts("2026-01-01T08:00:00Z"))
        #expect(expiry?.rule == "short")
        #expect(expiry?.date == Timestamp(iso8601: "2026-01-03T00:00:00Z"))
    }

    @Test("lets dates pass as the sandbox ages")
    func dates() throws {
        let rules = Rules.rule("<Expiration><Date>2026-02-01T00:00:00Z</Date></Expiration>")
        let object = try Self.facts("2026-01-20T00:00:00Z")
        #expect(try Self.plan(rules, at: "2026-01-31T00:00:00Z").action(onCurrent: object) == nil)
        #expect(try Self.plan(rules, at: "2026-01-31T00:00:00Z", shift: 86_400).action(onCurrent: object) == .expire)
    }
}
