/**
 * A host with its pages in a process of its own, to be killed. Its arguments: the SQLite file, the folder of the pages,
 * the port.
 */
import { openDatabase } from '../../src/db/index.js';
import { startHost } from '../started.js';

const [sqlite = '', pages = '', port = '0'] = process.argv.slice(2);
const { url } = await startHost(await openDatabase({ sqlite }), {}, pages, Number(port));
process.on('disconnect', () => process.exit());
process.send?.(url);
