resource "aws_iam_account_alias" "harbour" {
  account_alias = local.first ? "harbour" : "old-harbour"
}

resource "aws_iam_account_password_policy" "strict" {
  minimum_password_length        = local.first ? 8 : 12
  require_lowercase_characters   = true
  require_numbers                = true
  require_uppercase_characters   = local.first
  require_symbols                = true
  allow_users_to_change_password = local.first
  max_password_age               = local.first ? 0 : 90
  password_reuse_prevention      = local.first ? null : 5
  hard_expiry                    = !local.first
}

resource "aws_iam_security_token_service_preferences" "tokens" {
  global_endpoint_token_version = local.first ? "v1Token" : "v2Token"
}
