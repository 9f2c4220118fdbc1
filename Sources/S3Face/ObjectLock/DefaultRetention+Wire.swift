import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension DefaultRetention {
    /// The maximum retention in days. (S3 User Guide, "Locking objects with Object Lock".)
    private static let longest = 36_500
    private static let longestInYears = 100

    /// Parses the document of PutObjectLockConfiguration.
    /// - Returns: `nil` if the document enables Object Lock without a rule.
    /// - Throws: `MalformedXML`, `InvalidRetentionPeriod`, `InvalidArgument`.
    init?(configuration: XMLElement, _ dialect: Dialect) throws(S3Error) {
        var isEnabled = false
        var rule: XMLElement?
        for child in configuration.children {
            switch child.name {
            case "ObjectLockEnabled": isEnabled = child.text == "Enabled"
            case "Rule" where rule == nil: rule = child
            default: throw S3Error(.malformedXML)
            }
        }
        guard isEnabled else { throw S3Error(.malformedXML) }
        guard let rule else { return nil }
        guard rule.children.count == 1, let retention = rule.child("DefaultRetention") else { throw S3Error(.malformedXML) }
        try self.init(retention, dialect)
    }

    private init(_ element: XMLElement, _ dialect: Dialect) throws(S3Error) {
        var mode: ObjectLock.Mode?
        var period: Period?
        for child in element.children {
            switch child.name {
            case "Mode" where mode == nil:
                guard let named = ObjectLock.Mode(named: child.text) else { throw S3Error(.malformedXML) }
                mode = named
            case "Days" where period == nil: period = .days(try Self.number(child, upTo: Self.longest, "days", dialect))
            case "Years" where period == nil: period = .years(try Self.number(child, upTo: Self.longestInYears, "years", dialect))
            default: throw S3Error(.malformedXML)
            }
        }
        guard let mode, let period else { throw S3Error(.malformedXML) }
        self.init(mode: mode, period: period)
    }

    private static func number(_ element: XMLElement, upTo limit: Int, _ unit: String, _ dialect: Dialect) throws(S3Error) -> Int {
        guard let number = Int(decimal: element.text) else { throw S3Error(.malformedXML) }
        guard number > 0 else {
            let text = "Default retention period must be a positive integer value."
            // The response of S3 is in versity/versitygw#1738.
            throw dialect == .ceph
                ? S3Error(.invalidRetentionPeriod, text) : S3Error(.invalidArgument, text, ["ArgumentName": element.name])
        }
        guard number <= limit else {
            throw S3Error(
                .invalidRetentionPeriod,
                "Default retention period is too large. The maximum value is \(limit) \(unit).")
        }
        return number
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
