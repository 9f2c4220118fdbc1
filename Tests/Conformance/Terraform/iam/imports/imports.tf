import {
  to = aws_iam_access_key.sailor
  id = aws_iam_access_key.sailor.id
}

import {
  to = aws_iam_account_alias.harbour
  id = aws_iam_account_alias.harbour.account_alias
}

import {
  to = aws_iam_account_password_policy.strict
  id = "iam-account-password-policy"
}

import {
  to = aws_iam_group.crew
  id = aws_iam_group.crew.name
}

import {
  to = aws_iam_group.watch
  id = aws_iam_group.watch.name
}

import {
  to = aws_iam_group.shared
  id = aws_iam_group.shared.name
}

import {
  to = aws_iam_group_policy.read
  id = "company:read"
}

import {
  to = aws_iam_group_policies_exclusive.crew
  id = "company"
}

import {
  to = aws_iam_group_policy_attachment.view
  id = "watch/arn:aws:iam::aws:policy/job-function/ViewOnlyAccess"
}

import {
  to = aws_iam_group_policy_attachments_exclusive.watch
  id = "watch"
}

import {
  to = aws_iam_instance_profile.bosun
  id = aws_iam_instance_profile.bosun.name
}

import {
  to = aws_iam_instance_profile.empty
  id = aws_iam_instance_profile.empty.name
}

import {
  to = aws_iam_openid_connect_provider.company
  id = aws_iam_openid_connect_provider.company.arn
}

import {
  to = aws_iam_openid_connect_provider.bare
  id = aws_iam_openid_connect_provider.bare.arn
}

import {
  to = aws_iam_policy.read
  id = aws_iam_policy.read.arn
}

import {
  to = aws_iam_policy.boundary
  id = aws_iam_policy.boundary.arn
}

import {
  to = aws_iam_policy.shared
  id = aws_iam_policy.shared.arn
}

import {
  to = aws_iam_role.bosun
  id = aws_iam_role.bosun.name
}

import {
  to = aws_iam_role.prefixed
  id = aws_iam_role.prefixed.name
}

import {
  to = aws_iam_role.inline
  id = aws_iam_role.inline.name
}

import {
  to = aws_iam_role.plain
  id = aws_iam_role.plain.name
}

import {
  to = aws_iam_role_policy.read
  id = "bosun:read"
}

import {
  to = aws_iam_role_policies_exclusive.bosun
  id = "bosun"
}

import {
  to = aws_iam_role_policy_attachment.read
  id = "bosun/${aws_iam_policy.read.arn}"
}

import {
  to = aws_iam_role_policy_attachments_exclusive.bosun
  id = "bosun"
}

import {
  to = aws_iam_saml_provider.company
  id = aws_iam_saml_provider.company.arn
}

import {
  to = aws_iam_service_linked_role.scaling
  id = aws_iam_service_linked_role.scaling.arn
}

import {
  to = aws_iam_service_linked_role.beanstalk
  id = aws_iam_service_linked_role.beanstalk.arn
}

import {
  to = aws_iam_service_specific_credential.git
  id = aws_iam_service_specific_credential.git.id
}

import {
  to = aws_iam_service_specific_credential.keyspaces
  id = aws_iam_service_specific_credential.keyspaces.id
}

import {
  to = aws_iam_signing_certificate.mate
  id = aws_iam_signing_certificate.mate.id
}

import {
  to = aws_iam_user.sailor
  id = "old-sailor"
}

import {
  to = aws_iam_user.mate
  id = "mate"
}

import {
  to = aws_iam_user_group_membership.watch
  id = "old-sailor/watch"
}

import {
  to = aws_iam_user_login_profile.mate
  id = "mate"
}

import {
  to = aws_iam_user_policy.named
  id = "old-sailor:read"
}

import {
  to = aws_iam_user_policy.prefixed
  id = aws_iam_user_policy.prefixed.id
}

import {
  to = aws_iam_user_policies_exclusive.mate
  id = "mate"
}

import {
  to = aws_iam_user_policy_attachments_exclusive.mate
  id = "mate"
}

import {
  to = aws_iam_user_policy_attachment.managed
  id = "old-sailor/${aws_iam_policy.read.arn}"
}

import {
  to = aws_iam_user_ssh_key.ssh
  id = "${aws_iam_user_ssh_key.ssh.username}:${aws_iam_user_ssh_key.ssh.ssh_public_key_id}:${aws_iam_user_ssh_key.ssh.encoding}"
}

import {
  to = aws_iam_user_ssh_key.pem
  id = "${aws_iam_user_ssh_key.pem.username}:${aws_iam_user_ssh_key.pem.ssh_public_key_id}:${aws_iam_user_ssh_key.pem.encoding}"
}

import {
  to = aws_iam_virtual_mfa_device.watch
  id = aws_iam_virtual_mfa_device.watch.arn
}

import {
  to = aws_iam_server_certificate.single
  id = "boats"
}
