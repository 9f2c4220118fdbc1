/// `/mobile/system/databaseManagement/…`: tables as members of the development team make and remove them. Virga has no team members, so that
/// every call is answered with the platform's error document. (REST API for Oracle Mobile Cloud Service, "Database Management".)
enum DatabaseManagement {
    static let refusal = MobileError(
        .notAvailable,
        "The Database Management API is not available in this environment. Tables are made by the rows that custom code adds with the "
            + "Database Access API, where the policy Database_CreateTablesPolicy allows it.")
}
