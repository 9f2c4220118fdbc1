<?php
// Where SimpleSAMLphp's users come from: the identity provider of the tests, or a list of its own.

$settings = json_decode(file_get_contents(__DIR__ . '/settings.json'), true);
$config = [
    'application' => [
        'saml:SP',
        'privatekey' => 'application.key',
        'certificate' => 'application.pem',
        'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    ] + $settings['application'],
    'list' => ['exampleauth:UserPass'] + $settings['users'],
];
