import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension DefaultRetention {
    /// The maximum retention in days. (S3 User Guide, "Locking objects with Object Lock".)
    private static let longest: Int64 = 36_500
    private static let longestInYears: Int64 = 100

    /// The elements of the document of PutObjectLockConfiguration.
    static let schema: [DocumentSchema.Member] = [
        .init("ObjectLockEnabled", .oneOf(["Enabled"])),
        .init(
            "Rule",
            .members([
                .init(
                    "DefaultRetention",
                    .members([
                        .init("Mode", .oneOf(["GOVERNANCE", "COMPLIANCE"])), .init("Days", .number, .optional),
                        .init("Years", .number, .optional),
                    ]))
            ]), .optional),
    ]

    /// Reads a document that conforms to the schema.
    /// - Returns: `nil` if the document enables Object Lock without a rule.
    /// - Throws: `MalformedXML`, `InvalidRetentionPeriod`, `InvalidArgument`.
    init?(configuration: XMLElement, _ dialect: Dialect) throws(S3Error) {
        guard let rule = configuration.child("Rule")?.child("DefaultRetention") else { return nil }
        guard let mode = rule.child("Mode").flatMap({ ObjectLock.Mode(named: $0.text.trimmed) }) else { throw S3Error(.malformedXML) }
        switch (rule.integer("Days"), rule.integer("Years")) {
        case (let days?, nil):
            try Self.check(days, "Days", upTo: Self.longest, dialect)
            self.init(mode: mode, period: .days(Int(days)))
        case (nil, let years?):
            try Self.check(years, "Years", upTo: Self.longestInYears, dialect)
            self.init(mode: mode, period: .years(Int(years)))
        default: throw S3Error(.malformedXML)
        }
    }

    private static func check(_ number: Int64, _ unit: String, upTo limit: Int64, _ dialect: Dialect) throws(S3Error) {
        guard number > 0 else {
            let text = "Default retention period must be a positive integer value."
            // The response of S3 is in versity/versitygw#1738.
            throw dialect == .ceph ? S3Error(.invalidRetentionPeriod, text) : S3Error(.invalidArgument, text, ["ArgumentName": unit])
        }
        guard number <= limit else {
            throw S3Error(
                .invalidRetentionPeriod,
                "Default retention period is too large. The maximum value is \(limit) \(unit.lowercased()).")
        }
    }

    func encode(into xml: inout XMLWriter) {
        xml.element("Rule") { xml in
            xml.element("DefaultRetention") { xml in
                xml.element("Mode", mode.name)
                switch period {
                case .days(let number): xml.element("Days", number)
                case .years(let number): xml.element("Years", number)
                }
            }
        }
    }
}
