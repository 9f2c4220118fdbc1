import Testing
import WireFormats

@Suite("Timestamps")
struct TimestampTests {
    static let moment = Timestamp(seconds: 1_795_248_000)

    @Test("each format equals that of its specification")
    func formats() {
        let moment = Timestamp(milliseconds: 1_795_248_000_007)
        #expect(moment.iso8601 == "2026-11-21T08:00:00Z")
        #expect(moment.iso8601Milliseconds == "2026-11-21T08:00:00.007Z")
        #expect(moment.basic == "20261121T080000Z")
        #expect(moment.dateStamp == "20261121")
        #expect(moment.httpDate == "Sat, 21 Nov 2026 08:00:00 GMT")
    }

    /// Seconds computed with `date -u -d … +%s`.
    static let days: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T12:00:00Z", 951_825_600),
        ("1900-03-01T00:00:00Z", -2_203_891_200), ("2024-12-31T23:59:59Z", 1_735_689_599),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ]

    @Test(
        "are formatted in the time of Los Angeles",
        arguments: [
            ("2020-01-01T00:00:00Z", "Tue Dec 31 16:00:00 PST 2019"), ("2026-07-04T12:00:05Z", "Sat Jul 04 05:00:05 PDT 2026"),
            // The hour of 8 March that does not exist, and the one of 1 November that occurs twice.
            ("2026-03-08T09:59:59Z", "Sun Mar 08 01:59:59 PST 2026"), ("2026-03-08T10:00:00Z", "Sun Mar 08 03:00:00 PDT 2026"),
            ("2026-11-01T08:59:59Z", "Sun Nov 01 01:59:59 PDT 2026"), ("2026-11-01T09:00:00Z", "Sun Nov 01 01:00:00 PST 2026"),
        ])
    func pacificTime(_ date: String, _ text: String) throws {
        #expect(try #require(Timestamp(iso8601: date)).pacificTime == text)
    }

    @Test("the calendar is correct across leap years, centuries and the epoch", arguments: days)
    func calendar(text: String, seconds: Int64) {
        #expect(Timestamp(iso8601: text) == Timestamp(seconds: seconds))
        #expect(Timestamp(seconds: seconds).iso8601 == text)
    }

    @Test("days of eight centuries survive each format")
    func roundTrips() {
        for day in stride(from: Int64(-146_097), through: 146_097, by: 11) {
            let moment = Timestamp(seconds: day * 86_400 + 3_661)
            guard Timestamp(iso8601: moment.iso8601) == moment, Timestamp(basic: moment.basic) == moment,
                Timestamp(httpDate: moment.httpDate) == moment
            else {
                Issue.record("\(moment.iso8601) does not survive")
                return
            }
        }
    }

    @Test("fractions and offsets of ISO 8601 are parsed")
    func readsISO8601() {
        #expect(Timestamp(iso8601: "2026-11-21T08:00:00.5Z")?.milliseconds == Self.moment.milliseconds + 500)
        #expect(Timestamp(iso8601: "2026-11-21T08:00:00.123999Z")?.milliseconds == Self.moment.milliseconds + 123)
        #expect(Timestamp(iso8601: "2026-11-21T10:30:00+02:30") == Self.moment)
        #expect(Timestamp(iso8601: "2026-11-20T23:00:00-09:00") == Self.moment)
    }

    @Test(
        "what is not a time is refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21 08:00:00Z", "2026-02-29T08:00:00Z", "2026-13-01T08:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00ZZ",
            "2026-11-21T08:00:00+2:00", "26-11-21T08:00:00Z", "-026-11-21T08:00:00Z", "2026-1１-21T08:00:00Z",
        ])
    func refusesISO8601(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test(
        "basic dates have no fraction and no offset", arguments: ["20261121T080000", "20261121T080000.0Z", "20261121", "20261131T080000Z"])
    func refusesBasic(text: String) {
        #expect(Timestamp(basic: text) == nil)
    }

    /// The examples of RFC 9110 section 5.6.7.
    @Test(
        "the three forms of an HTTP date are parsed",
        arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func readsHTTPDates(text: String) {
        #expect(Timestamp(httpDate: text)?.iso8601 == "1994-11-06T08:49:37Z")
    }

    @Test("the zone may be numeric, as in mail", arguments: ["+0000", "-0000"])
    func readsMailDates(zone: String) {
        #expect(Timestamp(httpDate: "Sun, 06 Nov 1994 08:49:37 \(zone)")?.iso8601 == "1994-11-06T08:49:37Z")
    }

    @Test(
        "other dates are refused as HTTP dates",
        arguments: [
            "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        ])
    func refusesHTTPDates(text: String) {
        #expect(Timestamp(httpDate: text) == nil)
    }

    @Test("the machine's clock is in this century")
    func now() {
        let first = Timestamp.now()
        #expect(first > Timestamp(seconds: 1_700_000_000))
        #expect(first < Timestamp(seconds: 4_000_000_000))
    }

    @Test("durations are added and subtracted in milliseconds")
    func arithmetic() {
        #expect((Self.moment + .seconds(65)).iso8601 == "2026-11-21T08:01:05Z")
        #expect((Self.moment - .milliseconds(1)).iso8601Milliseconds == "2026-11-21T07:59:59.999Z")
        #expect(Self.moment + .seconds(3) - Self.moment == .seconds(3))
        #expect(Self.moment < Self.moment + .milliseconds(1))
        #expect(Timestamp(milliseconds: -1).seconds == -1)
    }

    @Test("arithmetic is limited to the range instead of trapping")
    func saturates() {
        #expect(Timestamp(seconds: .max).milliseconds == .max)
        #expect(Timestamp(seconds: .min).milliseconds == .min)
        #expect((Timestamp(milliseconds: .max) + .seconds(1)).milliseconds == .max)
        #expect((Timestamp(milliseconds: .min) - .seconds(Int64.max)).milliseconds == .min)
        #expect(Timestamp(milliseconds: .max) - Timestamp(milliseconds: .min) > .zero)
        #expect(!Timestamp(milliseconds: .min).iso8601.isEmpty)
        #expect(!Timestamp(milliseconds: .max).httpDate.isEmpty)
    }

    static let durations: [(String, Duration)] = [
        ("PT1H5M", .seconds(3_900)), ("P1D", .seconds(86_400)), ("P1W", .seconds(604_800)), ("PT0S", .zero),
        ("P1DT0.5S", .seconds(86_400) + .milliseconds(500)), ("PT36H", .seconds(129_600)), ("PT0.000000001S", .nanoseconds(1)),
    ]

    @Test("ISO 8601 durations of fixed length are parsed", arguments: durations)
    func readsDurations(text: String, duration: Duration) {
        #expect(Duration(iso8601: text) == duration)
    }

    @Test(
        "durations out of order, empty or without a fixed length are refused",
        arguments: [
            "", "P", "PT", "P1DT", "P1Y", "P1M", "PT1", "1H", "PT5M1H", "PT1H1H", "PT1.5H", "P1H", "PT1D", "-PT1H", "PT1H ",
            "PT1TH", "PT9999999999999S", "PT1.S",
        ])
    func refusesDurations(text: String) {
        #expect(Duration(iso8601: text) == nil)
    }
}
