/// The services that metrics distinguish. There are few, so that the number of time series is bounded.
enum MeteredService: Int, CaseIterable {
    case s3, sts, iam, organizations, account, oss, alibaba, identity, mobile, vending, application, credentials, forwarded, console, control
    case unavailable

    /// The value of the label.
    var label: String { String(describing: self) }
}
